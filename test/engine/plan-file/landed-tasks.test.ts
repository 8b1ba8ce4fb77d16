// What runs of a plan file have landed: what that means for another run, and what a new one would do a second time.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { doneSince, landedBefore, readEarlierRuns } from '../../../src/engine/history/landed-tasks.ts'
import { loadOrigin, saveOrigin } from '../../../src/engine/plan-file/saved-tasks.ts'
import type { TaskStatus } from '../../../src/status.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { saveUnwritten } from '../../../src/unwritten-statuses.ts'
import type { RunSummary } from '../../../src/view.ts'
import type { PlanFileTasks } from '../../../src/workloads/formats/status/plan-file-tasks.ts'
import { hashOf } from '../../../src/workloads/formats/status/write-status.ts'
import { makePlan } from '../../rig/plan.ts'
import { makeRepository, temporaryFolder } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { BASE, event, newRun, summary, view } from '../../store/contract.ts'

function originOf(path: string, open: string[], done: string[] = [], says = hashOf('words')): PlanFileTasks {
  const task = (source: string) => ({ path, source, task: `task-${source}`, status: 'pending', says })
  return { format: 'implementation-plan', part: null, open: open.map(task), done: done.map(task) }
}

type Stand = { status: RunSummary['status']; resumable?: boolean; repo?: string; planFile?: string }

/** `tasks`: by their names in the file, how the run left them and when. */
async function addRun(
  store: Store,
  n: number,
  file: string,
  tasks: Record<string, [TaskStatus, endedAt?: number]>,
  { repo = '/nowhere', ...stand }: Stand = { status: 'completed' },
): Promise<string> {
  const run = `tea-${n}`
  await store.createRun({ ...newRun(run, n), repo, planFile: stand.planFile ?? null })
  await saveOrigin({ store, run, top: repo }, originOf(file, Object.keys(tasks)))
  const views = Object.entries(tasks).map(([source, [status, finishedAt = n + 10]]) => {
    return { ...view(`task-${source}`, status), finishedAt, landedCommit: status === 'landed' ? BASE : null }
  })
  const summed = { ...summary(run, n), resumable: false, enginePid: 0, ...stand, repo }
  await store.append(run, [event(1)], { run: summed, tasks: views })
  return run
}

test('what others have landed since a run began, and the newest run that has landed a task of the file', async () => {
  await using folder = await temporaryFolder()
  const opened = await openStore(folder.at('state.db'))
  assert.ok(opened.ok)
  await using store = opened.value
  const [top, file] = ['/nowhere', '/nowhere/plan.json']
  await addRun(store, 1, file, { A: ['landed', 5] })
  const mine = await addRun(store, 2, file, { A: ['failed', 12], B: ['blocked'], C: ['failed', 41], D: ['landed', 11] })
  await addRun(store, 3, file, { A: ['landed', 25], B: ['failed', 26], C: ['blocked', 27], E: ['landed', 28] })
  await addRun(store, 4, file, { B: ['running'], C: ['landed', 35] })
  for (const [startedAt, landed] of [
    [4, { 'task-A': 'tea-3', 'task-C': 'tea-4' }],
    [26, { 'task-C': 'tea-4' }],
    [35, {}],
  ] as const)
    assert.deepEqual(Object.fromEntries(await doneSince(store, { run: mine, top, startedAt })), landed)
  assert.deepEqual(await doneSince(store, { run: 'nobody', top, startedAt: 0 }), new Map())

  const landed = async (state: 'open' | 'done', from: PlanFileTasks, where = top) =>
    (await landedBefore(store, from, state, where)).map(({ now, run }) => `${now.source} ${run}`)
  const all = ['E', 'D', 'C', 'B', 'A']
  const newest = ['E tea-3', 'D tea-2', 'C tea-4', 'A tea-3']
  assert.deepEqual(await landed('done', originOf(file, [], all)), newest, 'in the order of the file')
  assert.deepEqual(await landed('open', originOf(file, all)), newest)
  assert.deepEqual(await landed('open', originOf(file, ['A'], ['B', 'C'])), ['A tea-3'], 'only those')
  // Somebody has changed the words since: what is done is done, what is open is another task.
  assert.deepEqual(await landed('done', originOf(file, [], all, 'others')), newest)
  assert.deepEqual(await landed('open', originOf(file, all, [], 'others')), [])
  // In another part of the file the same name means the same task only with the same words.
  assert.deepEqual(await landed('done', { ...originOf(file, [], all), part: 'next' }), newest)
  assert.deepEqual(await landed('done', { ...originOf(file, [], all, 'others'), part: 'next' }), [])
  assert.deepEqual(await landed('done', { ...originOf(file, [], all), format: 'task-master' }), [])
  assert.deepEqual(await landed('done', originOf(file, [], all), '/elsewhere'), [], 'a file of that name outside of it')
})

type Left = Pick<Stand, 'status' | 'resumable'> & {
  tasks: Record<string, [TaskStatus]>
  unwritten?: true
}

/** A failed run, one that could not write its statuses and a removed one are in the tests with whole runs. */
const CASES: [what: string, runs: Left[], found: string[]][] = [
  ['what did not land', [{ tasks: { A: ['passed'], B: ['failed'] }, status: 'failed' }], []],
  [
    'a run that is not over',
    [{ tasks: { A: ['landed'], B: ['ready'] }, status: 'running', resumable: true, unwritten: true }],
    ['tea-1 A resume'],
  ],
  [
    'nothing of the last run is left to try again, because an older one has landed it since',
    [
      { tasks: { A: ['landed'], B: ['failed'] }, status: 'failed' },
      { tasks: { B: ['landed'], A: ['failed'] }, status: 'failed' },
    ],
    ['tea-2 B -', 'tea-1 A -'],
  ],
  [
    'only of the last run the way to continue is named, and each task once',
    [
      { tasks: { A: ['landed'], C: ['failed'] }, status: 'failed' },
      { tasks: { A: ['landed'], B: ['landed'], C: ['failed'] }, status: 'failed' },
    ],
    ['tea-2 A B retry'],
  ],
]

for (const [what, runs, found] of CASES)
  test(`done again: ${what}`, async () => {
    await using repository = await makeRepository()
    const file = join(repository.top, 'plan.json')
    const workspace = await workspaceAt(repository.top)
    await mkdir(workspace.folder.root)
    const opened = await openStore(workspace.folder.database)
    assert.ok(opened.ok)
    await using store = opened.value
    for (const [n, { tasks, unwritten, ...stand }] of runs.entries()) {
      const run = await addRun(store, n + 1, file, tasks, { ...stand, repo: repository.top, planFile: file })
      if (unwritten) await saveUnwritten(store, run, { files: [{ file, why: 'it was gone' }], conflicts: [] })
    }
    const origin = originOf(file, ['A', 'B'])
    const again = await readEarlierRuns(workspace, { planFile: file, plan: makePlan([]), origin })
    assert.ok(again.ok, JSON.stringify(again))
    const texts = again.value.doneAgain.map(({ run, tasks, next }) => [run, ...tasks, next?.kind ?? '-'].join(' '))
    assert.deepEqual(
      texts,
      found.map((text) => text.replace(/\b([A-C])\b/g, 'task-$1')),
    )
  })

test('a run that continues with another part of its file has the tasks of that part, and one of an older build its old texts', async () => {
  await using folder = await temporaryFolder()
  const opened = await openStore(folder.at('state.db'))
  assert.ok(opened.ok)
  await using store = opened.value
  await store.createRun(newRun('tea-1', 1))
  const keep = async (origin: PlanFileTasks) => {
    await saveOrigin({ store, run: 'tea-1', top: '/nowhere' }, origin)
    const kept = await loadOrigin(store, 'tea-1')
    return { part: kept?.part, open: kept?.open.map(({ source, says }) => `${source} ${says}`) }
  }
  const [file, other] = ['/nowhere/plan.json', hashOf('others')]
  assert.deepEqual(await keep(originOf(file, ['A'], [], 'older')), { part: null, open: ['A older'] })
  assert.deepEqual(await keep(originOf(file, ['A', 'B'], [], other)), { part: null, open: ['A older', `B ${other}`] })
  const next = { ...originOf(file, ['C'], [], other), part: 'two' }
  assert.deepEqual(await keep(next), { part: 'two', open: [`C ${other}`] })
})
