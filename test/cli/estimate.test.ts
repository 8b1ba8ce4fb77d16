import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateLeftMs, waitingChain } from '../../src/cli/estimate.ts'
import type { TaskStatus } from '../../src/status.ts'
import { sampleTask } from './sample-run.ts'

const measured = { count: 4, totalMs: 40_000 }

const cases: { name: string; workload: Parameters<typeof estimateLeftMs>[0]; leftMs: number | null }[] = [
  {
    name: 'nothing before the first task has finished',
    workload: { measured: { count: 0, totalMs: 0 }, runningMs: [5_000], waiting: 9, chain: 0, slots: 3 },
    leftMs: null,
  },
  {
    name: 'nothing when nothing is left',
    workload: { measured, runningMs: [], waiting: 0, chain: 0, slots: 3 },
    leftMs: null,
  },
  {
    name: 'the waiting work over the slots',
    workload: { measured, runningMs: [], waiting: 6, chain: 0, slots: 3 },
    leftMs: 20_000,
  },
  {
    name: 'what the running ones still need',
    workload: { measured, runningMs: [4_000, 8_000], waiting: 0, chain: 0, slots: 2 },
    leftMs: 6_000,
  },
  {
    name: 'nothing once the last ones take longer than was guessed',
    workload: { measured, runningMs: [99_000, 1_000], waiting: 0, chain: 0, slots: 2 },
    leftMs: null,
  },
  {
    name: 'nothing where it would round to now',
    workload: { measured, runningMs: [9_500], waiting: 0, chain: 0, slots: 2 },
    leftMs: null,
  },
  {
    name: 'the waiting work while a slow one overruns',
    workload: { measured, runningMs: [99_000], waiting: 2, chain: 1, slots: 2 },
    leftMs: 10_000,
  },
  {
    name: 'never less than the longest chain that is left',
    workload: { measured, runningMs: [], waiting: 6, chain: 5, slots: 3 },
    leftMs: 50_000,
  },
  {
    name: 'no gain from idle slots',
    workload: { measured, runningMs: [], waiting: 1, chain: 0, slots: 8 },
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
    assert.equal(waitingChain(tasks.map(([id, status, ...needs]) => sampleTask(id, status, { needs }))), chain)
  })
}

test('a chain of 100,000 tasks has an end', () => {
  const tasks = Array.from({ length: 100_000 }, (_, i) =>
    sampleTask(`t${i}`, 'pending', { needs: i === 0 ? [] : [`t${i - 1}`] }),
  )
  assert.equal(waitingChain(tasks), 100_000)
})
