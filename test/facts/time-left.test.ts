import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateLeftMs, workLeft } from '../../src/facts/time-left.ts'
import type { TaskStatus } from '../../src/status.ts'
import { sampleTask } from '../cli/sample-run.ts'

const measured = { count: 4, totalMs: 40_000 }
const none = { count: 0, totalMs: 0 }

/** Nobody knows how long they take. */
function runningFor(...elapsed: number[]) {
  return elapsed.map((elapsedMs, n) => ({ id: `r${n}`, elapsedMs, estimateMs: null }))
}

/** Each takes 10 s. */
function usual(waiting: number, chain: number): NonNullable<ReturnType<typeof workLeft>> {
  return { waiting, usualMs: 10_000, totalMs: waiting * 10_000, chainMs: chain * 10_000, behindMs: new Map() }
}

function inMinutes(estimates: Record<string, number>): Map<string, number> {
  return new Map(Object.entries(estimates).map(([id, minutes]) => [id, minutes * 60_000]))
}

const cases: { name: string; workload: Parameters<typeof estimateLeftMs>[0]; leftMs: number | null }[] = [
  {
    name: 'nothing before the first task has finished',
    workload: { running: runningFor(5_000), left: null, slots: 3 },
    leftMs: null,
  },
  {
    name: 'nothing when nothing is left',
    workload: { running: runningFor(), left: usual(0, 0), slots: 3 },
    leftMs: null,
  },
  {
    name: 'the waiting work over the slots',
    workload: { running: runningFor(), left: usual(6, 0), slots: 3 },
    leftMs: 20_000,
  },
  {
    name: 'what the running ones still need',
    workload: { running: runningFor(4_000, 8_000), left: usual(0, 0), slots: 2 },
    leftMs: 6_000,
  },
  {
    name: 'nothing once the last ones take longer than was guessed',
    workload: { running: runningFor(99_000, 1_000), left: usual(0, 0), slots: 2 },
    leftMs: null,
  },
  {
    name: 'nothing where it would round to now',
    workload: { running: runningFor(9_500), left: usual(0, 0), slots: 2 },
    leftMs: null,
  },
  {
    name: 'the waiting work while a slow one overruns',
    workload: { running: runningFor(15_000), left: usual(2, 1), slots: 2 },
    leftMs: 10_000,
  },
  {
    name: 'unknown while one takes more than twice as long as was thought',
    workload: { running: runningFor(21_000), left: usual(2, 1), slots: 2 },
    leftMs: null,
  },
  {
    name: 'never less than the longest chain that is left',
    workload: { running: runningFor(), left: usual(6, 5), slots: 3 },
    leftMs: 50_000,
  },
  {
    name: 'no gain from idle slots',
    workload: { running: runningFor(), left: usual(1, 0), slots: 8 },
    leftMs: 10_000,
  },
]
for (const { name, workload, leftMs } of cases) {
  test(`the estimate is ${name}`, () => assert.equal(estimateLeftMs(workload), leftMs))
}

const chains: { name: string; tasks: [id: string, status: TaskStatus, ...needs: string[]][]; chain: number }[] = [
  { name: 'no tasks', tasks: [], chain: 0 },
  {
    name: 'tasks that are over',
    tasks: [
      ['a', 'landed'],
      ['b', 'failed', 'a'],
    ],
    chain: 0,
  },
  {
    name: 'what waits for a running one',
    tasks: [
      ['a', 'running'],
      ['b', 'pending', 'a'],
      ['c', 'pending', 'b'],
    ],
    chain: 2,
  },
  {
    name: 'a diamond, whatever the order of the plan',
    tasks: [
      ['d', 'pending', 'b', 'c'],
      ['b', 'pending', 'a'],
      ['c', 'pending', 'a'],
      ['a', 'ready'],
    ],
    chain: 3,
  },
]
for (const { name, tasks, chain } of chains) {
  test(`the chain of ${name}`, () => {
    const views = tasks.map(([id, status, ...needs]) => sampleTask(id, status, { needs }))
    assert.equal(workLeft(views, new Map(), measured)?.chainMs, chain * 10_000)
  })
}

test('a chain of 100,000 tasks has an end', () => {
  const tasks = Array.from({ length: 100_000 }, (_, i) =>
    sampleTask(`t${i}`, 'pending', { needs: i === 0 ? [] : [`t${i - 1}`] }),
  )
  assert.equal(workLeft(tasks, new Map(), measured)?.chainMs, 100_000 * 10_000)
})

test('what tasks are estimated to take counts from the start, and for those without an estimate the mean', () => {
  const tasks = [
    sampleTask('a', 'running'),
    sampleTask('long', 'pending', { needs: ['a'] }),
    sampleTask('short', 'ready'),
    sampleTask('open', 'pending', { needs: ['short'] }),
  ]
  const left = workLeft(tasks, inMinutes({ a: 3, long: 20, short: 4 }), none)
  assert.deepEqual([left?.totalMs, left?.chainMs], [(24 + 9) * 60_000, 20 * 60_000])
  const running = [{ id: 'a', elapsedMs: 60_000, estimateMs: 3 * 60_000 }]
  // 2 that run, then the long one. With one slot also 4 for the short one and 9 (the mean of 3, 20 and 4) for the open one.
  assert.equal(estimateLeftMs({ running, left, slots: 2 }), 22 * 60_000)
  assert.equal(estimateLeftMs({ running, left, slots: 1 }), 35 * 60_000)
})

test('the longest chain is the one that takes longest, not the one with the most tasks', () => {
  const tasks = [
    sampleTask('a', 'ready'),
    sampleTask('b', 'pending', { needs: ['a'] }),
    sampleTask('c', 'pending', { needs: ['b'] }),
    sampleTask('big', 'ready'),
  ]
  assert.deepEqual(workLeft(tasks, inMinutes({ a: 1, b: 1, c: 1, big: 30 }), none)?.chainMs, 30 * 60_000)
})

test('what waits for a running task comes after the rest of that one', () => {
  const tasks = [
    sampleTask('a', 'running'),
    sampleTask('b', 'pending', { needs: ['a'] }),
    sampleTask('c', 'pending', { needs: ['b', 'over'] }),
    sampleTask('other', 'running'),
    sampleTask('over', 'landed'),
  ]
  const left = workLeft(tasks, inMinutes({ a: 30, b: 10 }), { count: 1, totalMs: 60_000 })
  assert.deepEqual(
    [...(left?.behindMs ?? [])],
    [
      ['a', 11 * 60_000],
      ['other', 0],
    ],
  )
  const overdue = [{ id: 'a', elapsedMs: 40 * 60_000, estimateMs: 30 * 60_000 }]
  const begun = [{ id: 'a', elapsedMs: 10 * 60_000, estimateMs: 30 * 60_000 }]
  const leftMs = (running: typeof begun) => estimateLeftMs({ running, left, slots: 4 })
  assert.equal(leftMs(begun), (20 + 10 + 1) * 60_000)
  assert.equal(leftMs(overdue), (10 + 1) * 60_000, 'it ends any moment')
})
