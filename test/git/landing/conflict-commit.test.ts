// What counts as the resolution of a conflict, with real git.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { submoduleRef } from '../../../src/git/engine/ref-names.ts'
import { writeCommit, writeObject } from '../../../src/git/engine/write-object.ts'
import { keepConflict, readConflict, resolveConflict } from '../../../src/git/landing/conflict-commit.ts'
import { snapshot } from '../../../src/git/slots/snapshot.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, workOn } from '../engine.ts'

type Changes = Record<string, string | null>

const FILES = { 'one.txt': 'a\nb\nc\n', 'two.txt': '2\n', 'about.md': 'See:\n<<<<<<< HEAD\nis a marker\n' }
const words = { title: 'Do it', run: 'run', tasks: [{ task: 'task', attempt: 1 }] }
const ref = 'refs/espalier/runs/run/task/resolved-1'

const none = { ref: 'refs/espalier/none', words }

/** `landed` and `work` leave the same base and conflict. */
async function conflictOf(landed: Changes, work: Changes) {
  const repository = await makeRepository({ files: FILES })
  const engine = await openEngine(repository)
  const made = (task: string, base: string, changes: Changes) =>
    workOn(engine, base, task, async (path) => {
      for (const [name, content] of Object.entries(changes))
        await (content === null ? rm(join(path, name)) : write(join(path, name), content))
    })
  const onto = await made('landed', engine.user.head, landed)
  const mine = await made('work', engine.user.head, work)
  const conflict = await keepConflict(engine, {
    onto,
    work: mine,
    ref: 'refs/espalier/runs/run/task/conflict-1',
    words,
    by: 'person',
  })
  assert.ok(conflict)
  const inEngine = (...args: string[]) => runGit(engine.gitDir, args)
  /** The tree of the conflict with these changes. */
  const resolve = async (changes: Changes, task = 'resolved', unmerged: Set<string> | null = null) => {
    const tree = inEngine('rev-parse', `${await made(task, conflict, changes)}^{tree}`)
    return resolveConflict(engine, { conflict, tree, words, ref, unmerged })
  }
  return {
    engine,
    onto,
    work: mine,
    conflict,
    inEngine,
    resolve,
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

const ONE_LINE = [{ 'one.txt': 'a\nlanded\nc\n' }, { 'one.txt': 'a\nmine\nc\n', 'new.txt': 'n\n' }] as const

test('a resolution has both sides as its parents, and no marker in its history', async () => {
  await using t = await conflictOf(...ONE_LINE)
  assert.deepEqual(await readConflict(t.engine, t.conflict), { onto: t.onto, work: t.work, paths: ['one.txt'] })
  assert.match(t.inEngine('show', `${t.conflict}:one.txt`), /<<<<<<<[\s\S]*landed[\s\S]*mine[\s\S]*>>>>>>>/)
  const resolved = await t.resolve({ 'one.txt': 'a\nboth\nc\n' })
  assert.ok(resolved.ok, JSON.stringify(resolved))
  assert.equal(t.inEngine('log', '-1', '--format=%P', resolved.commit), `${t.onto} ${t.work}`)
  assert.equal(t.inEngine('rev-parse', ref), resolved.commit)
  assert.deepEqual(resolved.paths, ['new.txt', 'one.txt'])
  assert.deepEqual(resolved.diff, { files: 2, insertions: 2, deletions: 1 })
})

const refusals: { name: string; changes: Changes; message: RegExp; paths: string[] }[] = [
  {
    name: 'one marker is left',
    changes: { 'one.txt': `a\nboth\n>>>>>>> WORK\nc\n` },
    message: /markers are left in one\.txt/,
    paths: ['one.txt'],
  },
  {
    name: 'a marker has lost its label',
    changes: { 'one.txt': 'a\n<<<<<<<\nboth\nc\n' },
    message: /markers are left/,
    paths: ['one.txt'],
  },
  {
    name: 'a marker names its side in another way',
    changes: { 'one.txt': 'a\n<<<<<<< ours\nboth\nc\n' },
    message: /markers are left/,
    paths: ['one.txt'],
  },
  {
    name: 'somebody has merged again with shorter markers',
    changes: { 'one.txt': 'a\n<<< ours\nlanded\n===\nmine\n>>> theirs\nc\n' },
    message: /markers are left/,
    paths: ['one.txt'],
  },
  { name: 'nothing was done', changes: { 'new.txt': 'N\n' }, message: /markers are left/, paths: ['one.txt'] },
  {
    name: 'another file was changed',
    changes: { 'one.txt': 'a\nboth\nc\n', 'two.txt': '3\n' },
    message: /paths that the work had not changed: two\.txt/,
    paths: ['two.txt'],
  },
  {
    name: 'the work is thrown away',
    changes: { 'one.txt': 'a\nlanded\nc\n', 'new.txt': null },
    message: /nothing of the work/,
    paths: ['one.txt'],
  },
]
for (const { name, changes, message, paths } of refusals) {
  test(`it is refused where ${name}`, async () => {
    await using t = await conflictOf(...ONE_LINE)
    const told = Object.entries(changes).map(([path, text]) => [path, text?.replace('WORK', t.work) ?? null])
    const resolved = await t.resolve(Object.fromEntries(told))
    assert.ok(!resolved.ok)
    assert.match(resolved.failure.message, message)
    assert.deepEqual(resolved.failure.paths, paths)
  })
}

test('text that is about markers is not taken for one', async () => {
  const about = FILES['about.md']
  await using t = await conflictOf({ 'about.md': `${about}landed\n` }, { 'about.md': `${about}mine\n` })
  const resolved = await t.resolve({ 'about.md': `${about}both\n=======\nEnd\n` })
  assert.ok(resolved.ok, JSON.stringify(resolved))
})

test('where one side deleted the file there are no markers, and either answer will do', async () => {
  await using t = await conflictOf({ 'one.txt': null }, { 'one.txt': 'a\nmine\nc\n', 'new.txt': 'n\n' })
  for (const unmerged of [null, new Set(['one.txt'])]) {
    const nothing = await t.resolve({ 'new.txt': 'N\n' }, 'nothing', unmerged)
    assert.ok(!nothing.ok, 'to do nothing is no answer')
    assert.match(nothing.failure.message, /one\.txt is not resolved/)
  }
  const kept = await t.resolve({ 'new.txt': 'N\n' }, 'kept', new Set())
  assert.ok(kept.ok && kept.paths.includes('one.txt'), JSON.stringify(kept))
  const gone = await t.resolve({ 'one.txt': null }, 'gone')
  assert.ok(gone.ok, JSON.stringify(gone))
  assert.deepEqual(gone.paths, ['new.txt'])
})

for (const lib of ['lib', 'bücher'])
  test(`a resolution has the submodules of the work, and moves no other: ${lib}`, async () => {
    await using repository = await makeRepository({ files: FILES })
    const engine = await openEngine(repository)
    const [one, two] = ['one', 'two'].map((message) => {
      const commit = writeCommit(engine, { tree: writeObject(engine, 'tree', Buffer.alloc(0)), parents: [], message })
      runGit(engine.gitDir, ['update-ref', submoduleRef('run', commit), commit])
      return commit
    }) as [string, string]
    const moved = (file: string, commit: string) => async (path: string) => {
      await write(join(path, 'one.txt'), file)
      runGit(path, ['update-index', '--add', '--cacheinfo', `160000,${commit},${lib}`])
      runGit(path, ['add', 'one.txt'])
      runGit(path, ['commit', '-qm', 'with lib'])
    }
    const made = async (task: string, base: string, change: (path: string) => Promise<void>) => {
      const { slot, path } = await lease(engine, 1, base)
      await change(path)
      const request = { base, run: 'run', task, attempt: 1, title: task, submodules: 'allow' } as const
      const taken = await snapshot(slot, request)
      assert.ok(taken.ok, JSON.stringify(taken))
      return taken.commit ?? ''
    }
    const onto = await made('landed', engine.user.head, (path) => write(join(path, 'one.txt'), 'a\nlanded\nc\n'))
    const work = await made('work', engine.user.head, moved('a\nmine\nc\n', one))
    const conflict = await keepConflict(engine, { onto, work, ref: none.ref, words, by: 'agent' })
    assert.ok(conflict)
    for (const commit of [one, two]) {
      const tree = runGit(engine.gitDir, [
        'rev-parse',
        `${await made('done', conflict, moved('both\n', commit))}^{tree}`,
      ])
      const resolved = await resolveConflict(engine, { conflict, tree, words, ref })
      assert.equal(
        resolved.ok ? 'resolved' : resolved.failure.reason,
        commit === one ? 'resolved' : 'submodule-changed',
      )
    }
  })

test('what git merges by itself is no conflict', async () => {
  await using t = await conflictOf(...ONE_LINE)
  const other = await workOn(t.engine, t.engine.user.head, 'other', (path) => write(join(path, 'two.txt'), '3\n'))
  assert.equal(await keepConflict(t.engine, { ...none, onto: t.onto, work: other, by: 'person' }), null)
})

test('an agent is not given a conflict that has no markers', async () => {
  await using t = await conflictOf({ 'one.txt': null }, { 'one.txt': 'a\nmine\nc\n' })
  assert.equal(await keepConflict(t.engine, { ...none, onto: t.onto, work: t.work, by: 'agent' }), null)
})

test('markers of another size, and in a file with a name that is no UTF-8, are seen', async () => {
  const name = Buffer.from([0x63, 0x61, 0x66, 0xe9]) // caf\xe9
  await using repository = await makeRepository({ files: { '.gitattributes': '* conflict-marker-size=3\n' } })
  const engine = await openEngine(repository)
  const base = engine.user.head
  const made = (task: string, text: string) =>
    workOn(engine, base, task, async (path) => {
      await writeFile(Buffer.concat([Buffer.from(`${path}/`), name]), text)
    })
  const [onto, work] = [await made('landed', 'landed\n'), await made('work', 'mine\n')]
  const conflict = await keepConflict(engine, { ...none, onto, work, by: 'agent' })
  assert.ok(conflict)
  const tree = runGit(engine.gitDir, ['rev-parse', `${conflict}^{tree}`])
  const resolved = await resolveConflict(engine, { conflict, tree, words, ref })
  assert.ok(!resolved.ok, 'nothing was done')
  assert.match(resolved.failure.message, /markers are left/)
})
