import assert from 'node:assert/strict'
import { chmod, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { looseObject } from '../../../src/git/engine/write-object.ts'
import { GitFailure } from '../../../src/git/run/git.ts'
import { carry, objectsSince } from '../../../src/git/user/bring-commits.ts'
import { inUser } from '../../../src/git/user/publish.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { counted } from '../counted.ts'
import { openEngine, workOn } from '../engine.ts'

async function worked(change: (path: string) => Promise<void>) {
  const repository = await makeRepository({ files: { 'old.txt': 'old\n', 'README.md': 'read me\n' } })
  repository.git('rm', '-q', 'old.txt')
  repository.commit('without the old one')
  const engine = await openEngine(repository)
  const { head } = engine.user
  const commit = await workOn(engine, head, 'task', change)
  const bring = async () => {
    const { commands } = await counted(async () =>
      carry(engine, inUser(engine), await objectsSince(engine, commit, head)),
    )
    return commands
  }
  const check = () => {
    repository.git('branch', '-f', 'brought', commit)
    assert.equal(repository.git('fsck', '--no-dangling'), '')
  }
  return { repository, engine, commit, bring, check, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

const twoFiles = async (path: string) => {
  await write(join(path, 'src/new/deep.txt'), 'deep\n')
  await write(join(path, 'line\nbreak'), 'x\n')
}

test('a few objects are linked: one git process, and everything is there', async () => {
  await using t = await worked(twoFiles)
  assert.deepEqual(await t.bring(), ['rev-list'])
  t.check()
  const object = looseObject(t.engine.user.objectsDir, t.commit)
  assert.equal((await stat(object)).ino, (await stat(looseObject(join(t.engine.gitDir, 'objects'), t.commit))).ino)
  await utimes(object, 1, 1)
  assert.deepEqual(await t.bring(), ['rev-list'], 'and done again it does no harm')
  assert.ok((await stat(object)).mtimeMs > 1_000_000, 'what was about to expire is not any more')
})

test('what the user has already, in whatever form, need not be brought', async () => {
  await using t = await worked((path) => write(join(path, 'again.txt'), 'old\n'))
  t.repository.git('repack', '-adq')
  assert.deepEqual(await t.bring(), ['rev-list', 'cat-file'])
  t.check()
})

test('objects that are packed, and many of them, go through git', async () => {
  await using packed = await worked(twoFiles)
  runGit(packed.engine.gitDir, ['repack', '-adlq'])
  assert.deepEqual(await packed.bring(), ['rev-list', 'cat-file', 'pack-objects', 'unpack-objects'])
  packed.check()
  await using many = await worked(async (path) => {
    for (let n = 0; n < 120; n++) await write(join(path, `many/${n}`), `${n}`)
  })
  assert.deepEqual(await many.bring(), ['rev-list', 'pack-objects', 'index-pack'])
  many.check()
})

test('a repository that may not be written is a failure as git says it', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write everywhere')
  await using place = await worked(twoFiles)
  await chmod(place.engine.user.objectsDir, 0o500)
  await assert.rejects(place.bring(), GitFailure)
  await chmod(place.engine.user.objectsDir, 0o700)
})

test('something in the way of an object is a failure as git says it', async () => {
  await using t = await worked(twoFiles)
  const folder = join(t.engine.user.objectsDir, t.commit.slice(0, 2))
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'in the way')
  await assert.rejects(t.bring(), GitFailure)
})

test('folders that are made have the rights of the folder of all objects', async () => {
  await using t = await worked(twoFiles)
  const { objectsDir } = t.engine.user
  await chmod(objectsDir, 0o2775)
  const before = new Set(await readdir(objectsDir))
  await t.bring()
  const made = (await readdir(objectsDir)).filter((name) => !before.has(name))
  assert.ok(made.length > 0)
  for (const name of made) assert.equal((await stat(join(objectsDir, name))).mode & 0o7777, 0o2775)
})

test('work that does not build on where the branch is says so', async () => {
  await using t = await worked(twoFiles)
  const other = t.repository.commit('somebody else')
  assert.equal((await objectsSince(t.engine, t.commit, t.engine.user.head)).descends, true)
  assert.equal((await objectsSince(t.engine, t.commit, other)).descends, false)
  assert.equal((await objectsSince(t.engine, other, other)).descends, true)
})
