// What other runs have made of the tasks of a run, and which tasks of a plan file have landed: as tables over a store.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begunLater, doneSince, endedByOthers, landedBefore } from '../../../src/engine/history/other-runs-of-plan.ts'
import type { TaskStatus, TaskView } from '../../../src/status.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import type { PlanOrigin } from '../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { temporaryFolder } from '../../rig/repository.ts'
import { BASE, event, newRun, summary, view } from '../../store/contract.ts'
import { fileTask } from '../../store/ledger-sample.ts'

/** How a run stands with a task of `plan.json`: its status, when it last began it and when it ended. */
type Stand = [source: string, status: TaskStatus, begunAt?: number | undefined, endedAt?: number]

const TOP = '/nowhere'

async function withRuns(runs: Record<string, Stand[]>, look: (store: Store) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder()
  const opened = await openStore(folder.at('state.db'))
  assert.ok(opened.ok)
  await using store = opened.value
  for (const [n, [run, stands]] of Object.entries(runs).entries()) {
    await store.createRun(newRun(run, n))
    await store.putPlanTasks(
      run,
      `espalier/${run}`,
      stands.map(([source]) => fileTask({ source })),
    )
    await store.append(run, [event(1)], { run: summary(run, n), tasks: stands.map(viewOf) })
  }
  await look(store)
}

function viewOf([source, status, begunAt, endedAt]: Stand): TaskView {
  const history = (begunAt === undefined ? [] : [{ attempt: 1, startedAt: begunAt }]) as TaskView['history']
  const ended = { finishedAt: endedAt ?? null, landedCommit: status === 'landed' ? BASE : null }
  return { ...view(fileTask({ source }).task, status), history, ...ended }
}

function found(map: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(map)
}

const RUNS: Record<string, Stand[]> = {
  before: [['A', 'landed', 1, 5]],
  mine: [
    ['A', 'failed', 10, 12],
    ['B', 'blocked'],
    ['C', 'failed', 40, 41],
    ['D', 'landed', 10, 11],
  ],
  since: [
    ['A', 'landed', 20, 25],
    ['B', 'failed', 20, 26],
    ['C', 'blocked', undefined, 27],
    ['E', 'landed', 20, 28],
  ],
  later: [
    ['B', 'running', 30],
    ['C', 'landed', 30, 35],
  ],
}

test('what others have landed since a run began, and how they ended with the rest', async () => {
  await withRuns(RUNS, async (store) => {
    const of = { run: 'mine', top: TOP }
    const table: [number, object, object][] = [
      [4, { 'task-a': 'since', 'task-c': 'later' }, { 'task-b': ['failed'], 'task-c': ['blocked'] }],
      [9, { 'task-a': 'since', 'task-c': 'later' }, { 'task-b': ['failed'], 'task-c': ['blocked'] }],
      [26, { 'task-c': 'later' }, { 'task-c': ['blocked'] }],
      [35, {}, {}],
    ]
    for (const [startedAt, landed, ended] of table) {
      assert.deepEqual(found(await doneSince(store, { ...of, startedAt })), landed, `landed since ${startedAt}`)
      assert.deepEqual(found(await endedByOthers(store, { ...of, startedAt })), ended, `ended since ${startedAt}`)
    }
    assert.deepEqual(found(await doneSince(store, { run: 'nobody', top: TOP, startedAt: 0 })), {})
  })
})

test('what others have begun later than a run did', async () => {
  await withRuns(RUNS, async (store) => {
    const later = async (run: string) => {
      const all = await begunLater(store, { run, top: TOP })
      return found(new Map([...all].map(([task, { mine, other }]) => [task, `${mine.source} ${other.run}`])))
    }
    // `mine` has tried C again after all others.
    assert.deepEqual(await later('mine'), { 'task-a': 'A since', 'task-b': 'B later' })
    assert.deepEqual(await later('later'), { 'task-c': 'C mine' })
    assert.deepEqual(await later('before'), { 'task-a': 'A since' })
  })
})

test('of what a plan file calls done or open, the newest run that has landed it', async () => {
  const entry = (source: string, says = '5:words') => ({ source, task: `now-${source}`, status: 'pending', says })
  const origin = (open: string[], done: string[], says = '5:words'): PlanOrigin => ({
    format: 'implementation-plan',
    part: null,
    files: [{ path: `${TOP}/plan.json`, entries: open.map((source) => entry(source, says)) }],
    done: done.map((source) => ({ ...entry(source, says), path: `${TOP}/plan.json` })),
  })
  await withRuns(RUNS, async (store) => {
    const landed = async (state: 'open' | 'done', from: PlanOrigin, top = TOP) =>
      (await landedBefore(store, from, state, top)).map(({ now, row }) => `${now.task} ${row.run}`)
    const all = ['E', 'D', 'C', 'B', 'A']
    const newest = ['now-E since', 'now-D mine', 'now-C later', 'now-A since']
    assert.deepEqual(await landed('done', origin([], all)), newest, 'in the order of the file')
    assert.deepEqual(await landed('open', origin(all, [])), newest)
    assert.deepEqual(await landed('open', origin(['A'], ['B', 'C'])), ['now-A since'], 'only those')
    // Somebody has changed the words since: what is done is done, what is open is another task.
    assert.deepEqual(await landed('done', origin([], all, '5:other')), newest)
    assert.deepEqual(await landed('open', origin(all, [], '5:other')), [])
    assert.deepEqual(await landed('done', { ...origin([], all), format: 'task-master' }), [])
    assert.deepEqual(await landed('done', origin([], all), '/elsewhere'), [], 'a file of that name outside of it')
  })
})
