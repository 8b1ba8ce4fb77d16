import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isMachineTrouble } from '../../../src/git/run/machine-trouble.ts'
import { listAside, noteUnkept, removeWorkNote } from '../../../src/git/slots/folders-set-aside.ts'
import { markSetup, prepare, prepareAhead, removeSlot } from '../../../src/git/slots/prepare-slot.ts'
import { lease as slotOf } from '../../../src/git/slots/slot.ts'
import { listIncluded } from '../../../src/git/user/included-files.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, taken } from '../engine.ts'

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

test('a new slot is a checkout with a clean repository of its own on its own branch', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { path, repaired, needsSetup } = await lease(engine)
  assert.equal(await readFile(join(path, 'src/a.txt'), 'utf8'), 'a\n')
  assert.equal(runGit(path, ['status', '--porcelain', '--branch']), '## espalier/task')
  assert.equal(runGit(path, ['rev-parse', 'HEAD']), engine.user.head)
  assert.equal(runGit(path, ['config', 'user.email']), 'test@example.com')
  assert.equal(runGit(path, ['fsck', '--strict']), '')
  assert.deepEqual([repaired, needsSetup], [false, false])
})

test('a slot used again holds the new commit and nothing of the attempt before', async () => {
  await using repository = await makeRepository({
    files: { '.gitignore': 'ignored/\n', 'a/b.txt': 'b\n', 'c.txt': 'c\n' },
  })
  const engine = await openEngine(repository)
  const first = await lease(engine)
  await write(join(first.path, 'new.txt'), 'new')
  await write(join(first.path, 'ignored/cache'), 'x')
  await write(join(first.path, 'c.txt'), 'changed')
  await write(join(first.path, 'nested/.git/HEAD'), 'ref: refs/heads/main')
  await rm(join(first.path, 'a'), { recursive: true })
  await write(join(first.path, '.git/hooks/post-checkout'), '#!/bin/sh\nexit 1\n')
  runGit(first.path, ['config', 'core.fsmonitor', '/bin/false'])
  runGit(first.path, ['branch', 'planted'])
  await repository.write('d.txt', 'd\n')
  const next = repository.commit('second')
  const second = await lease(engine, 1, next)
  assert.equal(second.repaired, false)
  assert.equal(runGit(second.path, ['status', '--porcelain', '--ignored']), '')
  assert.equal(runGit(second.path, ['for-each-ref', '--format=%(refname)']), 'refs/heads/espalier/task')
  assert.equal(runGit(second.path, ['config', '--default', 'none', 'core.fsmonitor']), 'none')
  assert.equal(await isThere(join(second.path, '.git/hooks')), false)
  assert.equal(await readFile(join(second.path, 'd.txt'), 'utf8'), 'd\n')
})

test('places that are prepared ahead are whole, and on the commit and branch that is asked for', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const ahead = prepareAhead(engine, engine.user.head, 3)
  const first = await lease(engine)
  assert.equal(runGit(first.path, ['status', '--porcelain', '--branch']), '## espalier/task')
  assert.equal(runGit(first.path, ['for-each-ref', '--format=%(refname)']), 'refs/heads/espalier/task')
  assert.equal(runGit(first.path, ['rev-parse', 'HEAD']), engine.user.head)
  assert.equal(first.repaired, false)
  await ahead
  await repository.write('d.txt', 'd\n')
  const second = await lease(engine, 2, repository.commit('second'))
  assert.equal(runGit(second.path, ['status', '--porcelain', '--ignored']), '')
  assert.equal(await readFile(join(second.path, 'd.txt'), 'utf8'), 'd\n')
  await write(join(first.path, 'mine.txt'), 'mine')
  await prepareAhead(engine, engine.user.head, 3)
  assert.ok(await isThere(join(first.path, 'mine.txt')), 'a place that is there is left alone')
})

test('what other agents do to a place that was prepared ahead is gone when it is used', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  await prepareAhead(engine, engine.user.head, 1)
  await new Promise((resolve) => setTimeout(resolve, 1_050)) // a place is believed to be untouched for 1 s
  await write(join(slotOf(engine, 'attempt', 1).path, 'planted.txt'), 'x')
  const { path } = await lease(engine)
  assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
})

test('a place that cannot be prepared ahead is prepared by whoever uses it', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  await prepareAhead(engine, '0'.repeat(40), 1)
  const { path } = await lease(engine)
  assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
})

test('a slot that was snapshotted is reset too', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  await write(join(path, 'new/file.txt'), 'new')
  await rm(join(path, 'README.md'))
  await taken(slot)
  await lease(engine)
  assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
  assert.equal(await isThere(join(path, 'new')), false)
})

for (const [what, damage] of Object.entries({
  'whose folder is gone': (path) => rm(path, { recursive: true }),
  'whose folder was replaced by a file': async (path) => {
    await rm(path, { recursive: true })
    await writeFile(path, 'not a folder')
  },
  'whose index is gone': (path) => rm(`${path}.index`),
  'whose index is cut off': (path) => truncate(`${path}.index`, 100),
  'whose index is garbage': (path) => writeFile(`${path}.index`, 'garbage'),
} satisfies Record<string, (path: string) => Promise<void>>)) {
  test(`a slot ${what} is built again`, async () => {
    await using repository = await makeRepository()
    const engine = await openEngine(repository)
    const { path } = await lease(engine)
    await damage(path)
    const again = await lease(engine)
    assert.equal(again.repaired, true)
    assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
  })
}

test('a lock and a note that a killed engine left behind do not matter', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { path } = await lease(engine)
  await writeFile(`${path}.index.lock`, '')
  await writeFile(`${path}.json`, '{"commit":')
  await lease(engine)
  assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
})

test('links in place of the slot, of its .git or of a folder are removed and never followed', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { path } = await lease(engine)
  const outside = repository.at('outside')
  await mkdir(outside)
  await write(join(outside, 'precious'), 'precious')

  await rm(join(path, '.git'), { recursive: true })
  await symlink(outside, join(path, '.git'))
  await lease(engine)
  assert.equal((await lstat(join(path, '.git'))).isDirectory(), true)

  await rename(join(path, 'src'), join(outside, 'src'))
  await symlink(join(outside, 'src'), join(path, 'src'))
  await lease(engine)
  assert.equal((await lstat(join(path, 'src'))).isDirectory(), true)
  assert.equal(runGit(path, ['status', '--porcelain', '--ignored']), '')
  assert.equal(await readFile(join(outside, 'src/a.txt'), 'utf8'), 'a\n')

  await rm(path, { recursive: true })
  await symlink(outside, path)
  await lease(engine)
  assert.equal((await lstat(path)).isDirectory(), true)
  assert.equal(await readFile(join(outside, 'precious'), 'utf8'), 'precious')
})

test('folders without write permission do not stop the reuse of a slot', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { path } = await lease(engine)
  await write(join(path, 'modcache/pkg/file'), 'x')
  await chmod(join(path, 'modcache/pkg'), 0o555)
  await chmod(join(path, 'modcache'), 0o555)
  await lease(engine)
  assert.equal(await isThere(join(path, 'modcache')), false)
})

test('kept caches survive reuse at any depth and never land', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const options = { keep: ['node_modules', '!weird', 'build/cache/**'] }
  const { path, slot } = await lease(engine, 1, engine.user.head, options)
  await write(join(path, 'node_modules/x/index.js'), 'x')
  await write(join(path, 'src/node_modules/y.js'), 'y')
  await write(join(path, 'build/cache/z'), 'z')
  await write(join(path, 'build/other'), 'o')
  assert.deepEqual((await taken(slot)).paths, ['build/other'])
  await lease(engine, 1, engine.user.head, options)
  assert.equal(await isThere(join(path, 'node_modules/x/index.js')), true)
  assert.equal(await isThere(join(path, 'src/node_modules/y.js')), true)
  assert.equal(await isThere(join(path, 'build/cache/z')), true)
  assert.equal(await isThere(join(path, 'build/other')), false)
  assert.equal((await taken(slot)).commit, null)
})

test('setup runs once per key; what it made stays and never lands; what it did to tracked files is undone', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const options = { setupKey: 'key-1' }
  const first = await lease(engine, 1, engine.user.head, options)
  assert.equal(first.needsSetup, true)
  await write(join(first.path, 'deps/[a] b*/x'), 'x')
  await write(join(first.path, 'src/generated.txt'), 'g')
  await write(join(first.path, 'README.md'), 'rewritten by setup')
  runGit(first.path, ['config', 'core.hooksPath', '.husky'])
  await markSetup(first.slot, 'key-1')
  assert.equal(runGit(first.path, ['status', '--porcelain']), '')
  assert.equal(runGit(first.path, ['config', '--default', 'none', 'core.hooksPath']), 'none')
  await write(join(first.path, 'deps2'), 'the work')
  assert.deepEqual((await taken(first.slot)).paths, ['deps2'])

  const second = await lease(engine, 1, engine.user.head, options)
  assert.equal(second.needsSetup, false)
  assert.equal(await isThere(join(first.path, 'deps/[a] b*/x')), true)
  assert.equal(await isThere(join(first.path, 'src/generated.txt')), true)
  assert.equal(await isThere(join(first.path, 'deps2')), false)

  const other = await lease(engine, 1, engine.user.head, { setupKey: 'key-2' })
  assert.equal(other.needsSetup, true)
  assert.equal(await isThere(join(first.path, 'deps')), false)
})

test('a slot built again needs its setup again', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine, 1, engine.user.head, { setupKey: 'key' })
  await markSetup(slot, 'key')
  await rm(path, { recursive: true })
  const again = await lease(engine, 1, engine.user.head, { setupKey: 'key' })
  assert.deepEqual([again.repaired, again.needsSetup], [true, true])
})

test('.worktreeinclude copies untracked files of the checkout, which never land', async () => {
  await using repository = await makeRepository({
    files: { '.gitignore': '.env\n', '.worktreeinclude': '.env\nsecrets/\n/tool\n/l*\n' },
  })
  await repository.write('.env', 'KEY=1')
  await repository.write('secrets/deep/one key', 'k')
  await repository.write('tool', '#!/bin/sh\n')
  await repository.write('other', 'not included')
  await chmod(join(repository.top, 'tool'), 0o755)
  await symlink('.env', join(repository.top, 'link-inside'))
  await symlink('../outside', join(repository.top, 'link-outside'))
  await symlink('/etc/hostname', join(repository.top, 'link-absolute'))
  const engine = await openEngine(repository)
  const include = await listIncluded(engine.user)
  const { path, slot } = await lease(engine, 1, engine.user.head, { include })
  assert.equal(await readFile(join(path, '.env'), 'utf8'), 'KEY=1')
  assert.equal(await readFile(join(path, 'secrets/deep/one key'), 'utf8'), 'k')
  assert.equal((await lstat(join(path, 'tool'))).mode & 0o777, 0o755)
  assert.equal((await lstat(join(path, 'link-inside'))).isSymbolicLink(), true)
  for (const name of ['other', 'link-outside', 'link-absolute']) assert.equal(await isThere(join(path, name)), false)
  await write(join(path, 'work'), 'work')
  assert.deepEqual((await taken(slot)).paths, ['work'])
  await repository.write('.env', 'KEY=2')
  await lease(engine, 1, engine.user.head, { include })
  assert.equal(await readFile(join(path, '.env'), 'utf8'), 'KEY=2')
})

test('an included file never goes through a link of the worktree, nor over a tracked file', async () => {
  await using repository = await makeRepository({ files: { 'x.env': 'tracked' } })
  await mkdir(repository.at('outside'))
  await symlink('../../outside', join(repository.top, 'conf'))
  const withLink = repository.commit('a link that leads out')
  repository.git('rm', '-q', 'conf', 'x.env')
  repository.commit('without it')
  await repository.write('.worktreeinclude', '*.env\n')
  await repository.write('conf/a.env', 'A')
  await repository.write('x.env', 'untracked here')
  const engine = await openEngine(repository)
  const include = await listIncluded(engine.user)
  assert.deepEqual(include, ['conf/a.env', 'x.env'])
  const { path } = await lease(engine, 1, withLink, { include })
  assert.equal(await isThere(repository.at('outside/a.env')), false)
  assert.equal(await readFile(join(path, 'x.env'), 'utf8'), 'tracked')
})

test('a commit of the agent that holds an included file is not taken over, its other changes are', async () => {
  await using repository = await makeRepository({ files: { '.worktreeinclude': '.env\n' } })
  await repository.write('.env', 'SECRET')
  const engine = await openEngine(repository)
  const { path, slot } = await lease(engine, 1, engine.user.head, { include: await listIncluded(engine.user) })
  await write(join(path, 'work'), 'work')
  runGit(path, ['add', '-f', '.env', 'work'])
  runGit(path, ['commit', '-qm', 'oops'])
  runGit(path, ['rm', '-q', '--cached', '.env'])
  runGit(path, ['commit', '-qm', 'and away again'])
  const { commit, paths } = await taken(slot)
  assert.deepEqual(paths, ['work'])
  assert.equal(runGit(engine.gitDir, ['rev-list', '--count', `${engine.user.head}..${commit}`]), '1')
})

test('where ignored files survive, included ones still never land', async () => {
  await using repository = await makeRepository({
    files: { '.gitignore': '.env\nout/\n', '.worktreeinclude': '.env\n' },
  })
  await repository.write('.env', 'SECRET')
  const engine = await openEngine(repository)
  const options = { include: await listIncluded(engine.user), keepIgnored: true }
  const { path, slot } = await lease(engine, 1, engine.user.head, options)
  await write(join(path, 'out/built'), 'x')
  await lease(engine, 1, engine.user.head, options)
  assert.equal(await isThere(join(path, 'out/built')), true)
  await write(join(path, 'work'), 'work')
  runGit(path, ['add', '-f', '.env', 'work'])
  runGit(path, ['commit', '-qm', 'oops'])
  assert.deepEqual((await taken(slot)).paths, ['work'])
})

test('slots are prepared and snapshotted side by side', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const trees = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const { path, slot } = await lease(engine, number)
      await write(join(path, `${number}.txt`), `${number}`)
      return (await taken(slot, engine.user.head, `task-${number}`)).paths
    }),
  )
  assert.deepEqual(trees, [['1.txt'], ['2.txt'], ['3.txt']])
})

test('a removed slot leaves nothing behind', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { path, slot } = await lease(engine)
  await removeSlot(slot)
  for (const rest of ['', '.index', '.json', '.exclude']) assert.equal(await isThere(path + rest), false)
})

test('a commit that does not exist is trouble of the machine, and leaves no folder behind', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const slot = slotOf(engine, 'attempt', 1)
  await assert.rejects(prepare(slot, '1'.repeat(40), { branch: 'x' }), isMachineTrouble)
  assert.deepEqual(listAside(engine), [])
  await prepare(slot, engine.user.head, { branch: 'x' })
})

test('a folder with work that is in no ref is set aside with all that is in it, whoever wants the slot', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const { path, slot } = await lease(engine)
  const work = { run: 'run', task: 'task', attempt: 1 }
  for (const next of [() => lease(engine), () => removeSlot(slot)]) {
    await noteUnkept(path, work)
    await writeFile(join(path, 'precious.txt'), 'x')
    await next()
    const [aside] = listAside(engine)
    assert.deepEqual(aside?.work, work)
    assert.equal(await readFile(join(aside.path, 'precious.txt'), 'utf8'), 'x')
    assert.equal(await isThere(join(path, 'precious.txt')), false)
    removeWorkNote(aside.path)
    await rm(aside.path, { recursive: true })
    await lease(engine)
  }
})
