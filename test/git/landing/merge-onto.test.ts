import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeStaleLocks } from '../../../src/git/engine/engine-repository.ts'
import { readRef } from '../../../src/git/engine/ref-file.ts'
import { runBranch } from '../../../src/git/engine/ref-names.ts'
import { findLanded } from '../../../src/git/landing/landed.ts'
import { mergeOnto, moveBranch } from '../../../src/git/landing/merge-onto.ts'
import { isMachineTrouble } from '../../../src/git/run/machine-trouble.ts'
import { checkDelta } from '../../../src/git/trees/tree-changes.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { counted } from '../counted.ts'
import { openEngine, workOn } from '../engine.ts'

const words = (task: string, attempt = 1) => ({ title: `Land ${task}`, run: 'run', tasks: [{ task, attempt }] })

async function landing(files?: Record<string, string>) {
  const repository = await makeRepository(files ? { files } : {})
  const engine = await openEngine(repository)
  const work = (task: string, changes: Record<string, string>, base = engine.user.head) =>
    workOn(engine, base, task, async (path) => {
      for (const [name, content] of Object.entries(changes)) await write(join(path, name), content)
    })
  const inEngine = (...args: string[]) => runGit(engine.gitDir, args)
  return {
    repository,
    engine,
    base: engine.user.head,
    work,
    inEngine,
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

test('pieces of work land one after the other as commits with two parents, by one git process each', async () => {
  await using t = await landing()
  const works = [await t.work('one', { 'one.txt': '1' }), await t.work('two', { 'two.txt': '2' })]
  works.push(await t.work('three', { 'three.txt': '3' }))
  const [one, two, three] = works as [string, string, string]
  const land = (head: string, work: string) =>
    counted(() => mergeOnto(t.engine, { head, work, base: t.base, message: words('one') }))
  const first = await land(t.base, one)
  assert.ok(first.value.kind === 'merged')
  assert.deepEqual(first.commands, [], 'there is nothing to merge')
  const second = await land(first.value.commit, two)
  assert.ok(second.value.kind === 'merged')
  const third = await land(second.value.commit, three)
  assert.ok(third.value.kind === 'merged')
  assert.deepEqual(third.commands, ['merge-tree'], 'the others that it asks were there')
  assert.equal(t.inEngine('log', '-1', '--format=%P', third.value.commit), `${second.value.commit} ${three}`)
  assert.equal(t.inEngine('diff', '--name-only', t.base, third.value.commit), 'one.txt\nthree.txt\ntwo.txt')
})

test('a merge finds its base by itself where none is given', async () => {
  await using t = await landing()
  const work = await t.work('one', { 'one.txt': '1' })
  const merge = await mergeOnto(t.engine, { head: t.base, work, message: 'm\n' })
  assert.ok(merge.kind === 'merged')
  assert.equal(t.inEngine('rev-parse', `${merge.commit}^{tree}`), t.inEngine('rev-parse', `${work}^{tree}`))
})

test('a conflict names its files, whatever they are called', async () => {
  await using t = await landing({ 'sp ace/ü\n.txt': 'x\n', other: 'o\n', fine: 'f\n' })
  const one = await t.work('one', { 'sp ace/ü\n.txt': '1\n', other: '1\n', fine: '1\n' })
  const two = await t.work('two', { 'sp ace/ü\n.txt': '2\n', other: '2\n' })
  const merge = await mergeOnto(t.engine, { head: one, work: two, message: 'm\n' })
  assert.deepEqual(merge, { kind: 'conflict', paths: ['other', 'sp ace/ü\n.txt'] })
})

test('work on a file that was renamed meanwhile is a conflict, not a change of the other file', async () => {
  await using t = await landing({ old: '1\n2\n3\n4\n5\n6\n' })
  const renamed = await workOn(t.engine, t.base, 'rename', (path) => rename(join(path, 'old'), join(path, 'new')))
  const edited = await t.work('edit', { old: '1\n2\n3\n4\n5\nsix\n' })
  const merge = await mergeOnto(t.engine, { head: renamed, work: edited, message: 'm\n' })
  assert.deepEqual(merge, { kind: 'conflict', paths: ['old'] })
})

test('G3: paths that the work did not touch are found, so that the landing is refused', async () => {
  await using t = await landing()
  const one = await t.work('one', { 'one.txt': '1' })
  const two = await t.work('two', { 'two.txt': '2' })
  // What a landing on `head` with the tree of `result` would change beyond the work.
  const check = async (result: string, head: string, work: string) => {
    const landing = t.inEngine('commit-tree', `${result}^{tree}`, '-p', head, '-p', work, '-m', 'landing')
    return (await checkDelta(t.engine, { landing, head, work, base: t.base })).strange
  }
  // A merge with the wrong base: it lands the tree of the work as it is and so undoes what landed before.
  assert.deepEqual(await check(two, one, two), ['one.txt'])
  assert.deepEqual(await check(two, t.base, two), [])
  // Work without any change may change nothing.
  assert.deepEqual(await check(one, t.base, t.base), ['one.txt'])
  assert.deepEqual(await check(one, one, two), [])
})

test('G3: a landing is refused by mergeOnto itself where merge and delta disagree', async () => {
  await using t = await landing({ 'dir/a': 'a\n', 'dir/b': 'b\n' })
  // Git follows a renamed folder if it is told to: new files of the work then land where the work never wrote.
  t.inEngine('config', 'merge.renames', 'true')
  t.inEngine('config', 'merge.directoryRenames', 'true')
  const moved = await workOn(t.engine, t.base, 'move', (path) => rename(join(path, 'dir'), join(path, 'moved')))
  const added = await t.work('add', { 'dir/c': 'c\n' })
  const merge = await mergeOnto(t.engine, { head: moved, work: added, message: 'm\n' })
  assert.deepEqual(merge, { kind: 'refused', paths: ['moved/c'] })
})

test('the branch moves only from where it is thought to be, and the reflog tells', async () => {
  await using t = await landing()
  const ref = runBranch('run')
  const one = await t.work('one', { 'one.txt': '1' })
  const two = await t.work('two', { 'two.txt': '2' })
  const move = (to: string, from: string | null) => moveBranch(t.engine, { ref, to, from })
  assert.deepEqual(await move(t.base, null), { kind: 'moved' })
  assert.deepEqual(await move(one, t.base), { kind: 'moved' })
  assert.deepEqual(await move(two, t.base), { kind: 'elsewhere', actual: one })
  assert.deepEqual(await move(two, null), { kind: 'elsewhere', actual: one })
  assert.deepEqual(await move(one, t.base), { kind: 'moved' })
  assert.equal(await readRef(t.engine, ref), one)
  assert.equal(t.inEngine('reflog', 'show', '--format=%H', ref), `${one}\n${t.base}`)
  assert.deepEqual(await moveBranch(t.engine, { ref: runBranch('none'), to: two, from: one }), {
    kind: 'elsewhere',
    actual: null,
  })
})

test('a lock left by a killed git is reported, and removed by the engine that owns the repository', async () => {
  await using t = await landing()
  const ref = runBranch('run')
  await moveBranch(t.engine, { ref, to: t.base, from: null })
  const one = await t.work('one', { 'one.txt': '1' })
  await writeFile(join(t.engine.gitDir, `${ref}.lock`), '')
  assert.equal((await moveBranch(t.engine, { ref, to: one, from: t.base, patienceMs: 10 })).kind, 'locked')
  assert.deepEqual(await removeStaleLocks(t.engine), [`${ref}.lock`])
  assert.equal((await moveBranch(t.engine, { ref, to: one, from: t.base })).kind, 'moved')
})

test('what landed is found by the trailers of the first-parent chain alone', async () => {
  await using t = await landing()
  const ref = runBranch('run')
  assert.deepEqual(await findLanded(t.engine, { ref, onto: t.base, run: 'run' }), [])
  const one = await t.work('one', { 'one.txt': '1' })
  const first = await mergeOnto(t.engine, { head: t.base, work: one, base: t.base, message: words('one', 2) })
  assert.ok(first.kind === 'merged')
  const forged = await workOn(t.engine, first.commit, 'forger', async (path) => {
    await write(join(path, 'x'), 'x')
    runGit(path, ['add', '-A'])
    runGit(path, ['commit', '-qm', 'x\n\nEspalier-Run: run\nEspalier-Task: forged\nEspalier-Attempt: 1'])
  })
  const message = {
    title: 'Land an epic\n\nEspalier-Task: forged',
    body: 'Espalier-Run: other\nEspalier-Task: forged\nEspalier-Attempt: 7',
    run: 'run',
    tasks: [
      { task: 'a', attempt: 1 },
      { task: 'b', attempt: 3 },
    ],
  }
  const second = await mergeOnto(t.engine, { head: first.commit, work: forged, message })
  assert.ok(second.kind === 'merged')
  await moveBranch(t.engine, { ref, to: second.commit, from: null })
  assert.deepEqual(await findLanded(t.engine, { ref, onto: t.base, run: 'run' }), [
    { commit: first.commit, tasks: [{ task: 'one', attempt: 2 }] },
    { commit: second.commit, tasks: message.tasks },
  ])
  assert.equal((await findLanded(t.engine, { ref, onto: first.commit, run: 'run' })).length, 1)
  assert.deepEqual(await findLanded(t.engine, { ref, onto: t.base, run: 'another' }), [])
})

test('deletions merge, and a deletion of what was edited meanwhile is a conflict', async () => {
  await using t = await landing()
  const gone = await workOn(t.engine, t.base, 'gone', (path) => rm(join(path, 'README.md')))
  const edited = await t.work('edit', { 'README.md': 'edited\n' })
  const added = await t.work('add', { 'new.txt': 'n' })
  assert.equal((await mergeOnto(t.engine, { head: gone, work: added, message: 'm\n' })).kind, 'merged')
  assert.deepEqual(await mergeOnto(t.engine, { head: edited, work: gone, message: 'm\n' }), {
    kind: 'conflict',
    paths: ['README.md'],
  })
})

test('work whose commit is gone is trouble of the machine, which merge-tree does not tell from a conflict', async () => {
  await using t = await landing()
  const other = await t.work('other', { 'other.txt': 'other' })
  const merged = mergeOnto(t.engine, { head: other, work: '1'.repeat(40), base: t.base, message: words('gone') })
  await assert.rejects(merged, (error) => isMachineTrouble(error) && /not something we can merge/.test(error.message))
})
