import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateLeftMs } from '../../src/cli/estimate.ts'

const measured = { count: 4, totalMs: 40_000 }

const cases: { name: string; workload: Parameters<typeof estimateLeftMs>[0]; leftMs: number | null }[] = [
  {
    name: 'nothing before the first task has finished',
    workload: { measured: { count: 0, totalMs: 0 }, runningMs: [5_000], waiting: 9, slots: 3 },
    leftMs: null,
  },
  { name: 'nothing when nothing is left', workload: { measured, runningMs: [], waiting: 0, slots: 3 }, leftMs: null },
  {
    name: 'the waiting work over the slots',
    workload: { measured, runningMs: [], waiting: 6, slots: 3 },
    leftMs: 20_000,
  },
  {
    name: 'what the running ones still need',
    workload: { measured, runningMs: [4_000, 8_000], waiting: 0, slots: 2 },
    leftMs: 6_000,
  },
  {
    name: 'no less than zero for a slow one',
    workload: { measured, runningMs: [99_000], waiting: 0, slots: 2 },
    leftMs: 0,
  },
  { name: 'no gain from idle slots', workload: { measured, runningMs: [], waiting: 1, slots: 8 }, leftMs: 10_000 },
]
for (const { name, workload, leftMs } of cases) {
  test(`the estimate is ${name}`, () => assert.equal(estimateLeftMs(workload), leftMs))
}
