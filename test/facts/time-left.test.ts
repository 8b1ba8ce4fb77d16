import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateLeftMs } from '../../src/facts/time-left.ts'
import type { TaskStatus } from '../../src/status.ts'
import type { TaskView } from '../../src/view.ts'
import { sampleTask } from '../cli/sample-run.ts'
import { attemptOf } from '../reports/sample.ts'

const NOW = 1_000_000
const MINUTE = 60_000

/** In seconds: how long a running task has run. */
function running(id: string, elapsed: number): TaskView {
  return sampleTask(id, 'running', { history: [attemptOf({ startedAt: NOW - elapsed * 1_000, finishedAt: null })] })
}

/** They take 10 s each, as a finished one did. */
const finished = sampleTask('finished', 'landed', {
  history: [attemptOf({ startedAt: 0, finishedAt: 10_000, outcome: 'changed' })],
})

const free = (n: number) => Array.from({ length: n }, (_, i) => sampleTask(`free-${i}`, 'ready'))
const chained = (n: number) =>
  Array.from({ length: n }, (_, i) => sampleTask(`t${i}`, 'pending', { needs: i === 0 ? [] : [`t${i - 1}`] }))

const cases: [name: string, tasks: TaskView[], slots: number, seconds: number | null][] = [
  ['nothing when nothing is left', [finished], 3, null],
  ['the waiting work over the slots', [finished, ...free(6)], 3, 20],
  ['what the running ones still need', [finished, running('a', 4), running('b', 8)], 2, 6],
  ['nothing once the last ones take longer than was guessed', [finished, running('a', 19), running('b', 1)], 2, null],
  ['nothing where it would round to now', [finished, running('a', 9.5)], 2, null],
  ['the waiting work while a slow one overruns', [finished, running('a', 15), ...chained(2)], 2, 20],
  ['unknown while one takes more than twice as long as was thought', [finished, running('a', 21), ...free(2)], 2, null],
  ['never less than the longest chain that is left', [finished, ...free(1), ...chained(5)], 3, 50],
  ['no gain from idle slots', [finished, ...free(1)], 8, 10],
  ['that of a chain of 100,000 tasks', [finished, ...chained(100_000)], 8, 1_000_000],
]
for (const [name, tasks, slots, seconds] of cases)
  test(`the estimate is ${name}`, () => {
    const leftMs = estimateLeftMs({ tasks, slots }, new Map(), NOW)
    assert.equal(leftMs, seconds === null ? null : seconds * 1_000)
  })

test('nothing is guessed before the first task has finished', () => {
  assert.equal(estimateLeftMs({ tasks: [running('a', 5), ...free(2)], slots: 3 }, new Map(), NOW), null)
})

test('a pause delays what waits, and not what runs', () => {
  const paused = [{ agent: 'claude', until: NOW + 60_000, why: 'limited' as const }]
  const leftOf = (...tasks: TaskView[]) =>
    estimateLeftMs({ tasks: [finished, ...tasks], slots: 1, paused }, new Map(), NOW)
  assert.equal(leftOf(...free(2)), 80_000)
  assert.equal(leftOf(running('a', 4), ...free(2)), 70_000)
})

const chains: { name: string; tasks: [id: string, status: TaskStatus, ...needs: string[]][]; chain: number }[] = [
  {
    name: 'tasks behind those that are over',
    tasks: [
      ['a', 'landed'],
      ['b', 'ready', 'a'],
    ],
    chain: 1,
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
    assert.equal(estimateLeftMs({ tasks: [finished, ...views], slots: 9 }, new Map(), NOW), chain * 10_000)
  })
}

test('what tasks are estimated to take counts from the start, and for those without an estimate the mean', () => {
  const tasks = [
    running('a', 60),
    sampleTask('long', 'pending', { needs: ['a'] }),
    sampleTask('short', 'ready'),
    sampleTask('open', 'pending', { needs: ['short'] }),
  ]
  const estimates = new Map(Object.entries({ a: 3 * MINUTE, long: 20 * MINUTE, short: 4 * MINUTE }))
  // 2 that run, then the long one. With one slot also 4 for the short one and 9 (the mean of 3, 20 and 4) for the open one.
  assert.equal(estimateLeftMs({ tasks, slots: 2 }, estimates, NOW), 22 * MINUTE)
  assert.equal(estimateLeftMs({ tasks, slots: 1 }, estimates, NOW), 35 * MINUTE)
})

test('what waits for a running task comes after the rest of that one, also where that is overdue', () => {
  const estimates = new Map(Object.entries({ a: 30 * MINUTE, b: 10 * MINUTE }))
  const leftAfter = (minutes: number) => {
    const behind = [sampleTask('b', 'pending', { needs: ['a'] }), sampleTask('c', 'pending', { needs: ['b', 'over'] })]
    const tasks = [finished, running('a', minutes * 60), ...behind, sampleTask('over', 'landed')]
    return estimateLeftMs({ tasks, slots: 4 }, estimates, NOW)
  }
  assert.equal(leftAfter(10), (20 + 10) * MINUTE + 10_000)
  assert.equal(leftAfter(40), 10 * MINUTE + 10_000, 'it ends any moment')
})
