// What runs of a plan file have landed: what that means for another run, and what a new one would do a second time.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, test } from 'node:test'
import { doneSince, landedBefore, readEarlierRuns } from '../../../src/engine/history/landed-tasks.ts'
import { readUnlanded } from '../../../src/engine/history/unlanded-work.ts'
import { loadOrigin, planFilesIn, saveOrigin } from '../../../src/engine/plan-file/saved-tasks.ts'
import type { TaskStatus } from '../../../src/status.ts'
import { openStore } from '../../../src/store/open.ts'
import { saveUnwritten } from '../../../src/unwritten-statuses.ts'
import type { RunSummary } from '../../../src/view.ts'
import type { PlanFileTasks } from '../../../src/workloads/formats/status/plan-file-tasks.ts'
import { hashOf } from '../../../src/workloads/formats/status/write-status.ts'
import { makePlan } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { BASE, event, newRun, summary, view } from '../../store/contract.ts'

const repository = await makeRepository()
const { top } = repository
const FILE = repository.at('repo', 'plan.json')
const workspace = await workspaceAt(top)
await mkdir(workspace.folder.root)
const opened = await openStore(workspace.folder.database)
const store = opened.ok ? opened.value : assert.fail(JSON.stringify(opened))
after(async () => {
  await store[Symbol.asyncDispose]()
  await repository[Symbol.asyncDispose]()
})

/** `open` and `done`: letters, a task each. Each test has letters of its own. */
function originOf(open: string, done = '', says = hashOf('words')): PlanFileTasks {
  const tasks = (letters: string) =>
    Array.from(letters, (source) => ({ path: FILE, source, task: `task-${source}`, status: 'pending', says }))
  return { format: 'implementation-plan', part: null, open: tasks(open), done: tasks(done) }
}

/** By their names in the file: how the run left its tasks, and when. */
type Tasks = Record<string, TaskStatus | [TaskStatus, endedAt: number]>

async function addRun(n: number, tasks: Tasks, more: Partial<RunSummary> = {}): Promise<string> {
  const run = `tea-${n}`
  await store.createRun({ ...newRun(run, n), repo: top, planFile: FILE })
  await saveOrigin({ store, run, top }, originOf(Object.keys(tasks).join('')))
  const views = Object.entries(tasks).map(([source, left]) => {
    const [status, finishedAt = n + 10] = [left].flat() as [TaskStatus, number?]
    return { ...view(`task-${source}`, status), finishedAt, landedCommit: status === 'landed' ? BASE : null }
  })
  const ended = { ...summary(run, n), repo: top, resumable: false, enginePid: 0, ...more }
  await store.append(run, [event(1)], { run: ended, tasks: views })
  return run
}

test('what others have landed since a run began, and the newest run that has landed a task of the file', async () => {
  await addRun(1, { A: ['landed', 5] })
  const run = await addRun(2, { A: 'failed', B: 'blocked', C: ['failed', 41], D: ['landed', 11] })
  await addRun(3, { A: ['landed', 25], B: ['failed', 26], C: ['blocked', 27], E: ['landed', 28], F: 'passed' })
  await addRun(4, { B: 'running', C: ['landed', 35] })
  const since = async (startedAt: number) => Object.fromEntries(await doneSince(store, { run, top, startedAt }))
  assert.deepEqual(await since(4), { 'task-A': 'tea-3', 'task-C': 'tea-4' })
  assert.deepEqual(await since(26), { 'task-C': 'tea-4' })
  assert.deepEqual(await since(35), {})
  assert.deepEqual(await doneSince(store, { run: 'nobody', top, startedAt: 0 }), new Map())

  const landed = async (state: 'open' | 'done', from: PlanFileTasks, where = top) =>
    (await landedBefore(store, from, state, where)).map(({ now, run }) => `${now.source} ${run}`)
  const [now, reworded] = [originOf('FEDCBA', 'FEDCBA'), originOf('FEDCBA', 'FEDCBA', 'others')]
  const newest = ['E tea-3', 'D tea-2', 'C tea-4', 'A tea-3']
  assert.deepEqual(await landed('done', now), newest, 'in the order of the file')
  assert.deepEqual(await landed('open', now), newest)
  assert.deepEqual(await landed('open', originOf('A', 'BC')), ['A tea-3'], 'only those')
  // Somebody has changed the words since: what is done is done, what is open is another task.
  assert.deepEqual(await landed('done', reworded), newest)
  assert.deepEqual(await landed('open', reworded), [])
  // In another part of the file the same name means the same task only with the same words.
  assert.deepEqual(await landed('done', { ...now, part: 'next' }), newest)
  assert.deepEqual(await landed('done', { ...reworded, part: 'next' }), [])
  assert.deepEqual(await landed('done', { ...now, format: 'task-master' }), [])
  assert.deepEqual(await landed('done', now, '/elsewhere'), [], 'a file of that name outside of it')
})

test('done again: each task once, and only of the last run the way to continue it', async () => {
  const again = async (n: number, tasks: Tasks, more: Partial<RunSummary> = { status: 'failed' }) => {
    const run = await addRun(n, tasks, more)
    const files = more.resumable ? [{ file: FILE, why: 'it was gone' }] : []
    await saveUnwritten(store, run, { files, conflicts: [] })
    const asked = { planFile: FILE, plan: makePlan([]), origin: originOf('XY') }
    const found = await readEarlierRuns(workspace, asked)
    assert.ok(found.ok, JSON.stringify(found))
    return found.value.doneAgain.map(({ run, tasks, next }) => [run, ...tasks, next?.kind].join(' '))
  }
  assert.deepEqual(await again(11, { X: 'landed', Y: 'failed' }), ['tea-11 task-X retry'])
  // Nothing of the last run is left to try again, because an older one has landed it since.
  assert.deepEqual(await again(12, { X: 'failed', Y: 'landed' }), ['tea-12 task-Y ', 'tea-11 task-X '])
  assert.deepEqual(await again(13, { X: 'landed', Y: 'landed', Z: 'failed' }), ['tea-13 task-X task-Y retry'])
  // What it could not write is written when it is resumed.
  const stopped = { status: 'running', resumable: true } as const
  assert.deepEqual(await again(14, { X: 'landed', Y: 'ready' }, stopped), ['tea-14 task-X resume', 'tea-13 task-Y '])
})

test('work that is missing is looked for in the base that is named', async () => {
  const found = await readUnlanded(workspace, { origin: originOf('', 'A'), base: 'nosuch' })
  assert.match(JSON.stringify(found), /nosuch names no commit/)
})

test('a run that continues with another part of its file has the tasks of that part, and one of an older build its old texts', async () => {
  await store.createRun(newRun('tea-21', 21))
  const keep = async (origin: PlanFileTasks) => {
    await saveOrigin({ store, run: 'tea-21', top }, origin)
    const kept = await loadOrigin(store, 'tea-21')
    return { part: kept?.part, open: kept?.open.map(({ source, says }) => `${source} ${says}`) }
  }
  const other = hashOf('others')
  assert.deepEqual(await keep(originOf('P', '', 'older')), { part: null, open: ['P older'] })
  assert.deepEqual(await keep(originOf('PQ', '', other)), { part: null, open: ['P older', `Q ${other}`] })
  assert.deepEqual(await keep({ ...originOf('R', '', other), part: 'two' }), { part: 'two', open: [`R ${other}`] })
})

test('an agent is told of the plan files in the repository that the run writes into', async () => {
  const writes = { writeBack: true }
  assert.deepEqual(await planFilesIn(top, originOf('A'), writes), ['plan.json'])
  assert.deepEqual(await planFilesIn(top, originOf('A'), { writeBack: false }), [])
  assert.deepEqual(await planFilesIn('/elsewhere', originOf('A'), writes), [])
  assert.deepEqual(await planFilesIn(top, null, writes), [], 'its format has no statuses')
})
