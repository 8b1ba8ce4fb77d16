// Work inside the folder of a submodule: seen, kept, and landed only as a commit that is made there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { markSetup } from '../../../src/git/slots/prepare-slot.ts'
import { snapshot } from '../../../src/git/slots/snapshot.ts'
import { lookIntoSubmodules } from '../../../src/git/slots/submodules.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine } from '../engine.ts'

const FILES = ['-c', 'protocol.file.allow=always']

/** A repository with a submodule `lib`, and a slot with its commit. `lib` has a submodule of its own if there is one `deep`. */
async function started({ deep = false, ...options }: { deep?: boolean; keep?: string[]; setupKey?: string } = {}) {
  const library = await makeRepository({ files: { 'a.txt': 'a\n', '.gitignore': '*.o\n' } })
  if (deep) {
    runGit(library.path, ['clone', '-q', library.top, 'deep'])
    library.git(...FILES, 'submodule', '--quiet', 'add', library.at('deep'), 'deep')
    library.commit('with a submodule')
  }
  const repository = await makeRepository()
  repository.git(...FILES, 'submodule', '--quiet', 'add', library.top, 'lib')
  repository.commit('with a submodule')
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine, 1, engine.user.head, options)
  const take = (submodules: 'fail' | 'allow' = 'fail') =>
    snapshot(slot, { base: engine.user.head, run: 'run', task: 'task', attempt: 1, title: 'Do it', submodules })
  return {
    ...{ engine, slot, path, lib: join(path, 'lib'), library, take },
    agent: (...args: string[]) => runGit(path, args),
    inLib: (...args: string[]) => runGit(join(path, 'lib'), args),
    populate: (...more: string[]) => runGit(path, [...FILES, 'submodule', '--quiet', 'update', '--init', ...more]),
    inEngine: (...args: string[]) => runGit(engine.gitDir, args),
    async [Symbol.asyncDispose]() {
      await library[Symbol.asyncDispose]()
      await repository[Symbol.asyncDispose]()
    },
  }
}

type Started = Awaited<ReturnType<typeof started>>

async function commitInside(t: Started, names: string[]): Promise<string> {
  for (const name of names) await write(join(t.lib, name), `${name}\n`)
  t.inLib('add', '-A')
  t.inLib('commit', '-qm', `with ${names[0]}`)
  return t.inLib('rev-parse', 'HEAD')
}

/** The attempt fails, and its commit has these files. */
async function isKept(t: Started, files: Record<string, string>, allow: 'fail' | 'allow' = 'fail'): Promise<void> {
  const result = await t.take(allow)
  assert.ok(!result.ok, 'it is no success')
  assert.deepEqual([result.failure.reason, result.failure.paths], ['submodule-changed', ['lib']])
  assert.match(result.failure.message, allow === 'allow' ? /only commits land/ : /`submodules: allow`/)
  assert.equal(t.inEngine('rev-parse', 'refs/espalier/runs/run/task/1'), result.commit)
  for (const [path, content] of Object.entries(files))
    assert.equal(t.inEngine('show', `${result.commit}:${path}`), content)
}

for (const allow of ['fail', 'allow'] as const) {
  test(`files in the empty folder of a submodule are kept, and the attempt fails (submodules: ${allow})`, async () => {
    await using t = await started()
    await write(join(t.path, 'y'), '2')
    await write(join(t.lib, 'new'), 'hi')
    await isKept(t, { y: '2', 'lib/new': 'hi' }, allow)
    await rm(join(t.path, 'y'))
    await isKept(t, { 'lib/new': 'hi' }, allow)
  })

  test(`changes that are not committed in a submodule are kept, and the attempt fails (submodules: ${allow})`, async () => {
    await using t = await started()
    t.populate()
    await write(join(t.lib, 'ignored.o'), 'o')
    assert.equal((await t.take(allow)).commit, null)
    await write(join(t.lib, 'new'), 'hi')
    await isKept(t, { 'lib/new': 'hi', 'lib/a.txt': 'a' }, allow)
    await rm(join(t.lib, 'new'))
    await write(join(t.lib, 'a.txt'), 'b')
    t.inLib('add', '-A')
    await isKept(t, { 'lib/a.txt': 'b' }, allow)
    t.inLib('reset', '-q', '--hard')
    assert.equal((await t.take(allow)).commit, null)
  })
}

test('a commit made in a submodule, and the same committed in the worktree, keep their files', async () => {
  await using t = await started()
  t.populate()
  await write(join(t.lib, 'new'), 'hi')
  t.inLib('add', '-A')
  t.inLib('commit', '-qm', 'inside')
  await isKept(t, { 'lib/new': 'hi', 'lib/a.txt': 'a' })
  t.agent('commit', '-qam', 'the new commit of lib')
  await isKept(t, { 'lib/new': 'hi', 'lib/a.txt': 'a' })
})

for (const how of ['left in the worktree', 'committed there'])
  test(`submodules: allow: a commit made inside lands as the new one (${how}), and is in a ref`, async () => {
    await using t = await started()
    t.populate()
    await write(join(t.lib, 'new'), 'hi')
    t.inLib('add', '-A')
    t.inLib('commit', '-qm', 'inside')
    const made = t.inLib('rev-parse', 'HEAD')
    if (how === 'committed there') t.agent('commit', '-qam', 'the new commit of lib')
    const result = await t.take('allow')
    assert.ok(result.ok, JSON.stringify(result))
    assert.deepEqual(result.paths, ['lib'])
    assert.equal(t.inEngine('rev-parse', `${result.commit}:lib`), made)
    assert.equal(t.inEngine('show', `refs/espalier/runs/run/_submodules/${made}:new`), 'hi')
    t.inEngine('fsck', '--connectivity-only')
  })

test('submodules: allow: a commit without its history, and one in a submodule of a submodule, do not land', async () => {
  await using t = await started({ deep: true })
  t.populate('--recursive')
  assert.equal((await t.take('allow')).commit, null)
  await write(join(t.lib, 'deep/new'), 'hi')
  await isKept(t, { 'lib/deep/new': 'hi' }, 'allow')
  for (const folder of [join(t.lib, 'deep'), t.lib]) {
    runGit(folder, ['add', '-A'])
    runGit(folder, ['commit', '-qm', 'inside'])
  }
  await isKept(t, { 'lib/deep/new': 'hi' }, 'allow')

  await rm(t.lib, { recursive: true })
  await rm(join(t.path, '.git/modules'), { recursive: true })
  t.agent('config', 'submodule.lib.url', `file://${t.library.top}`)
  t.populate('--depth', '1')
  assert.equal(t.inLib('rev-parse', '--is-shallow-repository'), 'true')
  await write(join(t.lib, 'shallow'), 'hi')
  t.inLib('add', '-A')
  t.inLib('commit', '-qm', 'inside')
  await isKept(t, { 'lib/shallow': 'hi' }, 'allow')
})

test('what setup made of a submodule is no work, and its repository is there for the agent', async () => {
  await using t = await started()
  const again = () => lease(t.engine, 1, t.engine.user.head, { setupKey: 'key' })
  assert.equal((await again()).needsSetup, true)
  t.populate()
  await write(join(t.lib, 'a.txt'), 'patched')
  await write(join(t.lib, 'built'), 'by setup')
  await markSetup(t.slot, 'key')
  assert.equal((await t.take()).commit, null)
  assert.match(t.inLib('status', '--short'), /a\.txt/)
  await write(join(t.lib, 'built'), 'by the agent')
  await isKept(t, { 'lib/built': 'by the agent', 'lib/a.txt': 'patched' })
  // The next attempt finds nothing that this agent may have left there.
  assert.equal((await again()).needsSetup, true)
  await markSetup(t.slot, 'key')
  assert.equal((await again()).needsSetup, false)
})

test('a submodule whose repository leads elsewhere or says anything is looked into all the same', async () => {
  await using t = await started()
  for (const git of [
    `gitdir: ${t.library.top}/.git`,
    'gitdir: ../../../../..',
    'nonsense',
    `gitdir: ${'x/'.repeat(3_000)}`,
  ]) {
    await writeFile(join(t.lib, '.git'), git)
    assert.equal((await t.take('allow')).commit, null, git)
    await write(join(t.lib, 'new'), 'hi')
    await isKept(t, { 'lib/new': 'hi' }, 'allow')
    await rm(join(t.lib, 'new'))
  }
})

test('what is ignored at the top is work inside of a submodule, unless the pattern leads there or says any place', async () => {
  await using t = await started({ keep: ['cache', '/lib/made', 'lib/built/', 'only/here'], setupKey: 'key' })
  await write(join(t.path, 'generated.txt'), 'by setup')
  await markSetup(t.slot, 'key')
  for (const name of ['cache/x', 'made', 'built/x', 'deep/cache/x']) await write(join(t.lib, name), 'no work')
  assert.equal((await t.take()).commit, null)
  await write(join(t.lib, 'generated.txt'), 'work')
  await write(join(t.lib, 'only/here'), 'work')
  await isKept(t, { 'lib/generated.txt': 'work', 'lib/only/here': 'work' })
})

test('the repository of a submodule in another slot is not the one of this', async () => {
  await using t = await started()
  const other = (await lease(t.engine, 2)).path
  runGit(other, [...FILES, 'submodule', '--quiet', 'update', '--init'])
  await write(join(other, 'lib/new'), 'hi')
  runGit(join(other, 'lib'), ['add', '-A'])
  runGit(join(other, 'lib'), ['commit', '-qm', 'inside'])
  for (const name of ['new', 'a.txt', '.gitignore']) await copyFile(join(other, 'lib', name), join(t.lib, name))
  await writeFile(join(t.lib, '.git'), `gitdir: ${other}/.git/modules/lib`)
  await isKept(t, { 'lib/new': 'hi' }, 'allow')
})

test('submodules: allow: a commit with a spoilt object is not kept', async () => {
  await using t = await started()
  t.populate()
  await commitInside(t, ['new'])
  const blob = t.inLib('rev-parse', 'HEAD:new')
  const object = join(t.path, '.git/modules/lib/objects', blob.slice(0, 2), blob.slice(2))
  const good = await readFile(object)
  await chmod(object, 0o644)
  await writeFile(object, deflateSync(Buffer.from('blob 4\0evil')))
  await isKept(t, { 'lib/new': 'new' }, 'allow')
  assert.equal(t.inEngine('for-each-ref', 'refs/espalier/runs/run/_submodules'), '')
  await writeFile(object, good)
  assert.ok((await t.take('allow')).ok)
})

test('submodules: allow: the next commit brings only what is new', async () => {
  await using t = await started()
  t.populate()
  const packed = () => /^in-pack: (\d+)/m.exec(t.inEngine('count-objects', '-v'))?.[1]
  const names = Array.from({ length: 120 }, (_, n) => `file-${n}`)
  await commitInside(t, names)
  assert.ok((await t.take('allow')).ok)
  const before = packed()
  assert.notEqual(before, '0')
  await commitInside(t, ['newer'])
  assert.ok((await t.take('allow')).ok)
  assert.equal(packed(), before)
  t.inEngine('fsck', '--connectivity-only')
})

const VANISHED: Record<string, (t: Started, base: string) => Promise<unknown>> = {
  'was emptied by git': async (t) => t.agent('submodule', '--quiet', 'deinit', '-f', 'lib'),
  'has the old commit again': async (t, base) => t.inLib('checkout', '-q', base),
  'is gone': (t) => rm(t.lib, { recursive: true }),
  'is gone with its repository': async (t) => {
    await rm(t.lib, { recursive: true })
    await rm(join(t.path, '.git/modules'), { recursive: true })
  },
  'never had the commit': async (t, base) => {
    t.inLib('checkout', '-q', base)
    t.agent('update-index', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
    t.agent('commit', '-qm', 'made up')
  },
}
for (const [how, act] of Object.entries(VANISHED))
  test(`submodules: allow: a pointer does not land whose submodule ${how}`, async () => {
    await using t = await started()
    t.populate()
    const base = t.inLib('rev-parse', 'HEAD')
    await commitInside(t, ['new'])
    await write(join(t.path, 'y'), '2')
    t.agent('add', '-A')
    t.agent('commit', '-qm', 'pointer')
    await act(t, base)
    await isKept(t, { y: '2' }, 'allow')
  })

test('submodules: allow: a pointer lands that another task of the run has kept, or that lies on the way to such a one', async () => {
  await using t = await started()
  t.populate()
  const first = await commitInside(t, ['one'])
  const second = await commitInside(t, ['two'])
  assert.ok((await t.take('allow')).ok)
  t.inLib('checkout', '-q', 'HEAD~2')
  for (const pointer of [second, first]) {
    t.agent('update-index', '--cacheinfo', `160000,${pointer},lib`)
    t.agent('commit', '-qm', 'pointer')
    const result = await t.take('allow')
    assert.ok(result.ok, JSON.stringify(result))
    assert.equal(t.inEngine('rev-parse', `${result.commit}:lib`), pointer)
  }
})

for (const allow of ['fail', 'allow'] as const)
  test(`a commit on the way whose pointer nobody keeps is no part of the history (submodules: ${allow})`, async () => {
    await using t = await started()
    t.populate()
    const base = t.inLib('rev-parse', 'HEAD')
    const commit = async (name: string, pointer: string) => {
      await write(join(t.path, name), name)
      t.agent('update-index', '--cacheinfo', `160000,${pointer},lib`)
      t.agent('add', name)
      t.agent('commit', '-qm', name)
    }
    await commit('a', base)
    await commit('b', base)
    const before = await t.take(allow)
    assert.equal(before.commit, t.agent('rev-parse', 'HEAD'))
    await commit('c', '1'.repeat(40))
    await commit('d', base)
    const result = await t.take(allow)
    assert.ok(result.ok, JSON.stringify(result))
    assert.deepEqual(result.paths, ['a', 'b', 'c', 'd'])
    assert.equal(t.inEngine('log', '-1', '--format=%P', String(result.commit)), t.engine.user.head)
  })

test('submodules: allow: a commit lands beside files that setup had left in the submodule, as long as these are as they were', async () => {
  await using t = await started({ setupKey: 'key' })
  t.populate()
  await write(join(t.lib, 'a.txt'), 'patched')
  await write(join(t.lib, 'built'), 'by setup')
  await markSetup(t.slot, 'key')
  await write(join(t.lib, 'new'), 'hi')
  t.inLib('add', 'new')
  t.inLib('commit', '-qm', 'inside')
  const result = await t.take('allow')
  assert.ok(result.ok, JSON.stringify(result))
  assert.equal(t.inEngine('rev-parse', `${result.commit}:lib`), t.inLib('rev-parse', 'HEAD'))
  await write(join(t.lib, 'built'), 'by the agent')
  await isKept(t, { 'lib/built': 'by the agent', 'lib/new': 'hi' }, 'allow')
})

test('submodules: allow: what setup has checked out lands if the agent commits it', async () => {
  await using t = await started({ setupKey: 'key' })
  t.populate()
  const newer = await commitInside(t, ['newer'])
  await markSetup(t.slot, 'key')
  assert.equal((await t.take('allow')).commit, null)
  t.agent('commit', '-qam', 'the newer lib')
  const result = await t.take('allow')
  assert.ok(result.ok, JSON.stringify(result))
  assert.equal(t.inEngine('rev-parse', `${result.commit}:lib`), newer)
})

test('where there are too many submodules to look into, the work in the others is kept without a look', async () => {
  await using t = await started()
  const names = ['many/0', 'many/1', 'many/2']
  addPointers(t, names)
  for (const name of names) await write(join(t.path, name, 'f'), name)
  await t.take()
  const left = { count: 2 }
  const found = (await lookIntoSubmodules(t.slot, t.engine.user.head, { left })).filter(({ isSame }) => !isSame)
  assert.deepEqual(
    found.map(({ path, print, files }) => [path, print === 'not looked into', files]),
    names.map((name, n) => [name, n === 2, [`${name}/f`]]),
  )
})

for (const [what, names] of Object.entries({
  'a name that says something to git': [':(glob)magic'],
  'more names than a command takes': Array.from({ length: 800 }, (_, n) => `${'long/'.repeat(600)}${n}`),
}))
  test(`submodules with ${what} are no trouble`, async () => {
    await using t = await started()
    addPointers(t, names)
    await write(join(t.path, 'y'), '2')
    const result = await t.take('allow')
    assert.ok(!result.ok)
    assert.equal(result.failure.reason, 'submodule-changed')
    assert.equal(t.inEngine('show', `${result.commit}:y`), '2')
  })

/** Commits submodules that nobody has. */
function addPointers(t: Started, names: readonly string[]): void {
  const input = names.map((name) => `160000 ${'1'.repeat(40)} 0\t${name}\0`).join('')
  execFileSync('git', ['update-index', '-z', '--index-info'], { cwd: t.path, input })
  t.agent('commit', '-qm', 'pointers')
}
