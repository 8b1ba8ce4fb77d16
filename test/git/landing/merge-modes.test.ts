// What landings look like in the history, mode by mode. The tree, and what conflicts, is the same in all of them.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { LIMITS } from '../../../src/config.ts'
import { runBranch } from '../../../src/git/engine/ref-names.ts'
import { findLanded, tasksThatChanged } from '../../../src/git/landing/landed.ts'
import type { MergeMode } from '../../../src/git/landing/landing-commit.ts'
import { mergeOnto, moveBranch } from '../../../src/git/landing/merge-onto.ts'
import { checkDelta } from '../../../src/git/trees/tree-changes.ts'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { openEngine, workOn } from '../engine.ts'

const MERGE_MODES: readonly MergeMode[] = ['regular', 'squash', 'rebase']

type Commit = { files: Record<string, string | null>; message: string; author?: string; date?: string }

const words = (task: string) => ({
  title: `Do ${task}`,
  body: 'It is done.',
  run: 'run',
  tasks: [{ task, attempt: 1 }],
})

async function stage(files: Record<string, string> = { f: '1\n2\n3\n4\n5\n', g: 'g\n' }) {
  const repository = await makeRepository({ files })
  const engine = await openEngine(repository)
  const base = engine.user.head
  const log = (format: string, ...range: string[]) =>
    runGit(engine.gitDir, ['log', '--reverse', `--format=${format}`, ...range]).trim()
  const change = async (path: string, changes: Commit['files']) => {
    for (const [name, content] of Object.entries(changes))
      if (content === null) await rm(join(path, name))
      else await write(join(path, name), content)
  }
  /** Commits of an agent, then what it left uncommitted. */
  const work = (task: string, commits: Commit[], left: Commit['files'] = {}, from = base) =>
    workOn(engine, from, task, async (path) => {
      for (const { files, message, author = 'Bot <bot@example.com>', date = '2020-01-02T03:04:05+0200' } of commits) {
        await change(path, files)
        runGit(path, ['add', '-A'])
        runGit(path, ['commit', '-qm', message, `--author=${author}`, `--date=${date}`, '--allow-empty'])
      }
      await change(path, left)
    })
  const land = async (head: string, of: string, mode: MergeMode, more = {}, from = base) => {
    const merge = await mergeOnto(engine, { head, work: of, base: from, message: { ...words('task'), ...more }, mode })
    assert.ok(merge.kind === 'merged', JSON.stringify(merge))
    return merge.commit
  }
  /** What has landed meanwhile: `g` is changed, and so is the first line of `f`. */
  const meanwhile = async () =>
    land(base, await work('other', [], { g: 'other\n', f: 'one\n2\n3\n4\n5\n' }), 'regular', words('other'))
  const tree = (commit: string) => runGit(engine.gitDir, ['rev-parse', `${commit}^{tree}`])
  return {
    ...{ repository, engine, base, log, work, land, meanwhile, tree },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

const THREE: Commit[] = [
  { files: { f: '1\n2\n3\n4\nfive\n' }, message: 'first\n\nwith a body' },
  { files: { new: 'new\n' }, message: 'second', author: 'Ada <ada@example.com>' },
]

for (const onto of ['the base', 'what has landed meanwhile']) {
  test(`onto ${onto} all modes give the same tree, which changes only what the work changed`, async () => {
    await using t = await stage()
    const head = onto === 'the base' ? t.base : await t.meanwhile()
    const work = await t.work('task', THREE, { left: 'left\n' })
    const trees = new Set<string>()
    for (const mode of MERGE_MODES) {
      const commit = await t.land(head, work, mode)
      trees.add(t.tree(commit))
      assert.deepEqual((await checkDelta(t.engine, { landing: commit, head, work, base: t.base })).strange, [])
      await moveBranch(t.engine, { ref: runBranch(mode), to: commit, from: null })
      const landed = await findLanded(t.engine, { ref: runBranch(mode), onto: head, run: 'run' })
      assert.deepEqual(landed, [{ commit, tasks: [{ task: 'task', attempt: 1 }] }])
    }
    assert.equal(trees.size, 1)
  })
}

test('squash: one commit by the agent, the user commits it, and everybody else is named', async () => {
  await using t = await stage()
  const head = await t.meanwhile()
  const commit = await t.land(head, await t.work('task', THREE, { left: 'left\n' }), 'squash')
  assert.equal(
    t.log('%P|%an <%ae>|%cn <%ce>', '-1', commit),
    `${head}|Bot <bot@example.com>|Test Person <test@example.com>`,
  )
  assert.equal(
    t.log('%B', '-1', commit),
    'Do task\n\nIt is done.\n\nEspalier-Run: run\nEspalier-Task: task\nEspalier-Attempt: 1\nCo-authored-by: Ada <ada@example.com>',
  )
})

test('squash: work that the agent did not commit is by the user', async () => {
  await using t = await stage()
  const commit = await t.land(t.base, await t.work('task', [], { left: 'left\n' }), 'squash')
  assert.equal(t.log('%P|%an|%cn', '-1', commit), `${t.base}|Test Person|Test Person`)
  assert.doesNotMatch(t.log('%B', '-1', commit), /Co-authored-by/)
})

test('rebase: each commit with its author, date and message, and the trailers on the last', async () => {
  await using t = await stage()
  const head = await t.meanwhile()
  const commit = await t.land(head, await t.work('task', THREE), 'rebase')
  assert.equal(
    t.log('%s|%an <%ae>|%ad|%cn|%(trailers:only,separator=%x2C)', '--date=iso-strict', `${head}..${commit}`),
    [
      'first|Bot <bot@example.com>|2020-01-02T03:04:05+02:00|Test Person|',
      'second|Ada <ada@example.com>|2020-01-02T03:04:05+02:00|Test Person|Espalier-Run: run,Espalier-Task: task,Espalier-Attempt: 1',
    ].join('\n'),
  )
  assert.equal(t.log('%B', '-1', `${commit}^`), 'first\n\nwith a body')
  assert.equal(t.log('%P', '-1', `${commit}^`), head)
})

test('rebase: commits that change nothing are left out', async () => {
  await using t = await stage()
  const head = await t.meanwhile()
  const same = { files: { g: 'other\n' }, message: 'what the other task did' }
  const empty = { files: {}, message: 'empty' }
  const commit = await t.land(head, await t.work('task', [same, ...THREE, empty]), 'rebase')
  assert.equal(t.log('%s', `${head}..${commit}`), 'first\nsecond')
  assert.match(t.log('%B', '-1', commit), /Espalier-Task: task/)
})

test('rebase: nothing an agent writes into a message names a task', async () => {
  await using t = await stage()
  const forged = 'Espalier-Run: run\nEspalier-Task: forged\nEspalier-Attempt: 1'
  const commits = [
    { files: { one: '1' }, message: `one\n\n${forged}` },
    { files: { two: '2' }, message: `two\n\nReviewed-by: Ada <ada@example.com>\n${forged}` },
  ]
  const commit = await t.land(t.base, await t.work('task', commits), 'rebase')
  await moveBranch(t.engine, { ref: runBranch('run'), to: commit, from: null })
  const landed = await findLanded(t.engine, { ref: runBranch('run'), onto: t.base, run: 'run' })
  assert.deepEqual(landed, [{ commit, tasks: [{ task: 'task', attempt: 1 }] }])
  assert.equal(t.log('%B', '-1', `${commit}^`), 'one')
  assert.equal(
    t.log('%(trailers:only)', '-1', commit),
    'Reviewed-by: Ada <ada@example.com>\nEspalier-Run: run\nEspalier-Task: task\nEspalier-Attempt: 1',
  )
})

const AS_ONE: Record<string, (t: Awaited<ReturnType<typeof stage>>) => Promise<string>> = {
  'a commit that conflicts, although a later one takes it back': (t) =>
    t.work('task', [
      { files: { g: 'mine\n' }, message: 'changes g' },
      { files: { g: 'g\n', new: 'new\n' }, message: 'changes it back' },
    ]),
  'a merge': (t) =>
    workOn(t.engine, t.base, 'task', async (path) => {
      const agent = (...args: string[]) => runGit(path, args)
      agent('switch', '-qc', 'side')
      await write(join(path, 'side'), 'side\n')
      agent('add', '-A')
      agent('commit', '-qm', 'side')
      agent('switch', '-q', '-')
      agent('merge', '-q', '--no-ff', '-m', 'merge', 'side')
    }),
  'more commits than are replayed': (t) =>
    workOn(t.engine, t.base, 'task', async (path) => {
      const tree = runGit(path, ['rev-parse', 'HEAD^{tree}'])
      let tip = t.base
      for (let n = 0; n <= LIMITS.replayedCommits; n++)
        tip = runGit(path, ['commit-tree', tree, '-p', tip, '-m', `commit ${n}`])
      runGit(path, ['reset', '-q', '--soft', tip])
      await write(join(path, 'new'), 'new\n')
    }),
}
for (const [what, make] of Object.entries(AS_ONE)) {
  test(`rebase: work with ${what} lands as one commit`, async () => {
    await using t = await stage()
    const head = await t.meanwhile()
    const work = await make(t)
    const commit = await t.land(head, work, 'rebase')
    assert.equal(t.log('%s', `${head}..${commit}`), 'Do task')
    assert.equal(t.tree(commit), t.tree(await t.land(head, work, 'regular')))
  })
}

test('what conflicts does so in every mode', async () => {
  await using t = await stage()
  const head = await t.meanwhile()
  const work = await t.work('task', [{ files: { g: 'mine\n' }, message: 'mine' }])
  for (const mode of MERGE_MODES)
    assert.deepEqual(await mergeOnto(t.engine, { head, work, base: t.base, message: words('task'), mode }), {
      kind: 'conflict',
      paths: ['g'],
    })
})

test('in every mode it is known whose landed work changed a path, also where an earlier commit of it did', async () => {
  await using t = await stage()
  for (const mode of MERGE_MODES) {
    const head = await t.land(t.base, await t.work('task', THREE), mode)
    const changed = (path: string) => tasksThatChanged(t.engine, { run: 'run', base: t.base, head, paths: [path] })
    assert.deepEqual([await changed('f'), await changed('g')], [['task'], []], mode)
  }
})

test('a sign-off is on every commit the engine makes, once', async () => {
  await using t = await stage()
  const signOff = t.engine.user.identity
  const line = 'Signed-off-by: Test Person <test@example.com>'
  const signed = { files: { f: 'signed\n' }, message: `signed already\n\n${line}` }
  const work = await t.work('task', [signed, ...THREE])
  for (const mode of MERGE_MODES) {
    const commit = await t.land(t.base, work, mode, { signOff })
    const bodies = t.log('%B%x00', '--first-parent', `${t.base}..${commit}`).split('\0').slice(0, -1)
    for (const body of bodies) assert.equal(body.split('\n').filter((one) => one === line).length, 1, body)
  }
})

test('an author that git would not take again does not keep the work from landing', async () => {
  await using t = await stage()
  const strange = await workOn(t.engine, t.base, 'task', async (path) => {
    await write(join(path, 'new'), 'new\n')
    runGit(path, ['add', '-A'])
    const tree = runGit(path, ['write-tree'])
    const who = '. <> 99999999999 +0000'
    const raw = `tree ${tree}\nparent ${t.base}\nauthor ${who}\ncommitter ${who}\n\n`
    await write(join(path, 'raw'), raw)
    const commit = runGit(path, ['hash-object', '-t', 'commit', '-w', '--literally', 'raw'])
    await rm(join(path, 'raw'))
    runGit(path, ['reset', '-q', '--soft', commit])
  })
  for (const mode of MERGE_MODES) {
    const commit = await t.land(t.base, strange, mode)
    assert.equal(runGit(t.engine.gitDir, ['show', `${commit}:new`]), 'new')
    if (mode !== 'regular') assert.equal(t.log('%an|%s', '-1', commit), 'Test Person|Do task')
  }
})
