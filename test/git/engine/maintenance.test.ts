import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deleteRunRefs } from '../../../src/git/engine/inventory.ts'
import { clutter, maintain } from '../../../src/git/engine/maintenance.ts'
import { attemptRef, runBranch } from '../../../src/git/engine/ref-names.ts'
import { mergeOnto, moveBranch } from '../../../src/git/landing/merge-onto.ts'
import { publish } from '../../../src/git/user/publish.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, taken, workOn } from '../engine.ts'

const DAY_MS = 24 * 3_600_000
const SOON = { timeoutMs: 60_000 }
const after = (days: number) => ({ ...SOON, now: Date.now() + days * DAY_MS })

/** A repository whose run `run` has landed these tasks, each with a file of its own. */
async function landed(tasks: string[], objectFormat: 'sha1' | 'sha256' = 'sha1') {
  const repository = await makeRepository({ objectFormat })
  const engine = await openEngine(repository)
  const base = engine.user.head
  let head = base
  for (const task of tasks) {
    const work = await workOn(engine, head, task, (path) => write(join(path, task), `made by ${task}\n`))
    const merge = await mergeOnto(engine, { head, work, base: head, message: `Land ${task}\n` })
    assert.ok(merge.kind === 'merged')
    await moveBranch(engine, { ref: runBranch('run'), to: merge.commit, from: head === base ? null : head })
    head = merge.commit
  }
  const inEngine = (...args: string[]) => runGit(engine.gitDir, args)
  /** Every object that a ref needs can be read. */
  const isWhole = () => inEngine('rev-list', '--objects', '--all').split('\n').length > 1
  const packs = async () =>
    (await readdir(join(engine.gitDir, 'objects', 'pack'))).filter((name) => /\.pack$/.test(name))
  const has = (id: string) => {
    try {
      inEngine('cat-file', '-e', id)
      return true
    } catch {
      return false
    }
  }
  return {
    repository,
    engine,
    base,
    head,
    inEngine,
    isWhole,
    packs,
    has,
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

for (const format of ['sha1', 'sha256'] as const)
  test(`loose objects become one pack, and none of the user's is copied (${format})`, async () => {
    await using rig = await landed(['a', 'b', 'c'], format)
    const { loose } = clutter(rig.engine)
    assert.ok(loose > 10)
    const done = await maintain(rig.engine, SOON)
    assert.deepEqual(clutter(rig.engine), { loose: 0, packs: 1 })
    assert.equal(done.packed + done.setAside, loose)
    assert.ok(rig.isWhole())
    assert.equal(rig.inEngine('show', `${rig.head}:b`), 'made by b')
    assert.deepEqual(rig.inEngine('for-each-ref', '--format=%(refname)').split('\n'), [
      attemptRef('run', 'a', 1),
      attemptRef('run', 'b', 1),
      attemptRef('run', 'c', 1),
      runBranch('run'),
    ])
    const again = await maintain(rig.engine, SOON)
    assert.deepEqual([again.packed, again.setAside], [done.packed, 0])
    assert.ok((await rig.packs()).length <= 2)
  })

test("work stays when the user's repository has had it, packed it, and thrown it away", async () => {
  await using rig = await landed(['a', 'b'])
  const { repository, engine, base, head } = rig
  assert.ok((await publish(engine, { run: 'run', base, to: head })).ok)
  repository.git('gc', '-q')
  await maintain(engine, SOON)
  repository.git('update-ref', '-d', 'refs/heads/espalier/run')
  repository.git('reflog', 'expire', '--expire=now', '--all')
  repository.git('gc', '-q', '--prune=now')
  assert.throws(() => repository.git('cat-file', '-e', head))
  await maintain(engine, after(15))
  await maintain(engine, after(30))
  assert.ok(rig.isWhole())
  assert.equal(rig.inEngine('show', `${head}:a`), 'made by a')
})

test('work that went on from a merge of the user stays as well', async () => {
  await using rig = await landed(['a'])
  const { repository, engine, base, head } = rig
  assert.ok((await publish(engine, { run: 'run', base, to: head })).ok)
  repository.git('merge', '-q', '--no-ff', '-m', 'mine', 'espalier/run')
  const merge = repository.git('rev-parse', 'HEAD')
  await moveBranch(engine, { ref: runBranch('run-2'), to: merge, from: null })
  await deleteRunRefs(engine, 'run')
  await maintain(engine, SOON)
  await maintain(engine, after(15))
  const own = rig.inEngine('rev-list', '--objects', '--no-object-names', `${base}..${head}`).split('\n')
  const [pack = ''] = await rig.packs()
  const packed = rig.inEngine('verify-pack', '-v', join('objects', 'pack', pack))
  for (const id of own) assert.ok(packed.includes(id), `${id} is still the engine's own`)
})

test('what nothing needs any more goes two weeks later, not before', async () => {
  await using rig = await landed(['a', 'b'])
  await deleteRunRefs(rig.engine, 'run')
  const first = await maintain(rig.engine, SOON)
  assert.deepEqual([first.packed, first.dropped], [0, 0])
  assert.ok(first.setAside > 0 && rig.has(rig.head))
  assert.deepEqual(clutter(rig.engine), { loose: 0, packs: 0 })
  assert.equal((await maintain(rig.engine, after(13))).dropped, 0)
  assert.ok(rig.has(rig.head))
  assert.equal((await maintain(rig.engine, after(15))).dropped, 1)
  assert.ok(!rig.has(rig.head))
  assert.deepEqual(await rig.packs(), [])
})

test('what is needed again meanwhile stays', async () => {
  await using rig = await landed(['a'])
  await deleteRunRefs(rig.engine, 'run')
  await maintain(rig.engine, SOON)
  await moveBranch(rig.engine, { ref: runBranch('run-2'), to: rig.head, from: null })
  await maintain(rig.engine, after(15))
  await maintain(rig.engine, after(30))
  assert.ok(rig.isWhole())
  assert.equal(rig.inEngine('show', `${rig.head}:a`), 'made by a')
})

test('a worktree in use goes on: its base, its index and its commits are there', async () => {
  await using rig = await landed(['a'])
  const { slot, path } = await lease(rig.engine, 1, rig.head)
  await write(join(path, 'x'), 'x\n')
  runGit(path, ['add', '.'])
  runGit(path, ['commit', '-qm', 'by the agent'])
  await write(join(path, 'y'), 'y\n')
  await maintain(rig.engine, SOON)
  await maintain(rig.engine, after(15))
  const { commit } = await taken(slot, rig.head, 'next')
  assert.ok(commit)
  assert.equal(rig.inEngine('show', `${commit}:x`), 'x')
  assert.equal(rig.inEngine('show', `${commit}:y`), 'y')
})

test('where an object cannot be read nothing goes', async () => {
  await using rig = await landed(['a', 'b'])
  const before = clutter(rig.engine)
  const blob = rig.inEngine('rev-parse', `${rig.head}:a`)
  const file = join(rig.engine.gitDir, 'objects', blob.slice(0, 2), blob.slice(2))
  rmSync(file)
  await writeFile(file, '')
  await assert.rejects(maintain(rig.engine, SOON), /git pack-objects failed/)
  assert.deepEqual(clutter(rig.engine), before)
})
