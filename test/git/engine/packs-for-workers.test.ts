import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type EngineRepository, openEngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { objectCount, readPack } from '../../../src/git/engine/pack.ts'
import { PackChain } from '../../../src/git/engine/packs-for-workers.ts'
import { git } from '../../../src/git/run/git.ts'
import { inspect } from '../../../src/git/user/repository.ts'
import { makeRepository, type TestRepository, temporaryFolder } from '../../rig/repository.ts'
import { counted } from '../counted.ts'

for (const format of ['sha1', 'sha256'] as const)
  test(`whoever has any commit of it is sent what came since, in one pack, made of what was made before (${format})`, async () => {
    await using repository = await makeRepository({ files: { 'a.txt': 'a\n' }, objectFormat: format })
    const engine = await engineOf(repository)
    const chain = new PackChain(engine)
    const commits = [repository.git('rev-parse', 'HEAD')]
    for (let n = 1; n <= 60; n++) {
      await repository.write(`folder/${n}.txt`, `${n}\n`)
      commits.push(repository.commit(`${n}`))
    }
    const [first = '', ...later] = commits
    assert.equal(await chain.pack(first, new Set()), null, 'the first has nothing to lead from')
    for (const commit of later) await chain.pack(commit, new Set())
    const last = later.at(-1) ?? ''
    for (const from of [0, 20, 58]) {
      const has = commits[from] ?? ''
      await using other = await otherWith(repository, has, format)
      const { commands } = await counted(async () => {
        const parts = await chain.pack(last, new Set([has]))
        assert.ok(parts)
        const pack = Buffer.concat(parts)
        assert.equal(objectCount(pack), (60 - from) * 4, 'a commit, two trees and a file each')
        await readPack({ gitDir: other.path }, one(pack), format)
      })
      assert.equal(commands.length, 1, 'only what reads it')
      await git(['fsck', '--strict', '--full', '--connectivity-only', last], { gitDir: other.path })
    }
    assert.equal(await chain.pack(last, new Set(['1'.repeat(40)])), null, 'it has something that is not on the chain')
  })

test('what came, went and came back would be twice in the pack: it is not put together', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const chain = new PackChain(await engineOf(repository))
  const base = repository.git('rev-parse', 'HEAD')
  await chain.pack(base, new Set())
  const contents = ['there\n', 'other\n', 'there\n']
  const commits: string[] = []
  for (const [n, content] of contents.entries()) {
    await repository.write('b.txt', content)
    await repository.write('n.txt', `${n}\n`)
    commits.push(repository.commit('next'))
    await chain.pack(commits[n] as string, new Set())
  }
  assert.equal(await chain.pack(commits[2] as string, new Set([base])), null)
  assert.ok(await chain.pack(commits[2] as string, new Set([commits[0] as string])))
})

test('an older commit, and one that nothing leads to, are not on the way to the next', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  const chain = new PackChain(await engineOf(repository))
  const base = repository.git('rev-parse', 'HEAD')
  await repository.write('a.txt', 'b\n')
  const next = repository.commit('next')
  for (const commit of [base, next, base]) await chain.pack(commit, new Set())
  await repository.write('a.txt', 'c\n')
  const last = repository.commit('last')
  const whole = await chain.pack(last, new Set([base]))
  assert.equal(objectCount(Buffer.concat(whole ?? [])), 6, 'two commits, and nothing of it again')
  repository.git('checkout', '-q', '-b', 'other', base)
  await repository.write('b.txt', 'of nobody else\n')
  const other = repository.commit('other')
  assert.equal(await chain.pack(other, new Set([base])), null)
  repository.git('checkout', '-q', 'main')
  await repository.write('a.txt', 'd\n')
  const after = repository.commit('after')
  assert.equal(
    await chain.pack(after, new Set([last])),
    null,
    'what led there was forgotten: no object of the other is sent',
  )
  await repository.write('a.txt', 'e\n')
  assert.ok(await chain.pack(repository.commit('end'), new Set([after])))
})

test('a pack of a few objects that are far larger than it is not unpacked into files', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': 'a\n' } })
  await repository.write('large.txt', 'x'.repeat(40 << 20))
  await repository.write('small.txt', 'small\n')
  const commit = repository.commit('large')
  const packed = (...names: string[]) =>
    git(['pack-objects', '--stdout', '-q'], {
      gitDir: join(repository.top, '.git'),
      input: `${names.map((name) => repository.git('rev-parse', `${commit}:${name}`)).join('\n')}\n`,
    })
  for (const [names, packs] of [
    [['small.txt', 'a.txt'], 0],
    [['large.txt', 'small.txt'], 1],
  ] as const) {
    await using folder = await temporaryFolder()
    await git(['init', '-q', '--bare', folder.path])
    await readPack({ gitDir: folder.path }, one((await packed(...names)).stdout), 'sha1')
    const found = readdirSync(join(folder.path, 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
    assert.equal(found.length, packs)
  }
})

async function engineOf(repository: TestRepository): Promise<EngineRepository> {
  const user = await inspect(repository.top)
  assert.ok(user.ok)
  return openEngineRepository(repository.state, user.value)
}

async function otherWith(repository: TestRepository, commit: string, format: string) {
  const folder = await temporaryFolder()
  await git(['init', '-q', '--bare', `--object-format=${format}`, folder.path])
  await git(['fetch', '-q', repository.top, commit], { gitDir: folder.path })
  return folder
}

async function* one(pack: Buffer) {
  yield pack
}
