import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulationLines } from '../../../src/cli/commands/plan-simulate.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { estimatedPlan } from '../../../src/engine/open/estimates.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { simulatePlan } from '../../../src/workloads/analysis/simulate.ts'
import { makePlan, type TaskDraft } from '../../rig/plan.ts'

const MINUTE = 60_000

function linesOf(
  drafts: TaskDraft[],
  { width = 120, budgetUsd = null as number | null, workers = null as number[] | null },
) {
  const plan = makePlan(drafts, 'true', 'checkout')
  const simulation = simulatePlan(plan, { maxPerEpic: null, budgetUsd }, workers)
  return simulationLines(plan.name, simulation, estimatedPlan(plan), { width, palette: palette(false) })
}

const shop: TaskDraft[] = [
  { id: 'a', estimateMs: 2 * MINUTE, estimateUsd: 1.5 },
  { id: 'b', estimateMs: 6 * MINUTE, estimateUsd: 2 },
  { id: 'c', estimateMs: 2 * MINUTE, needs: ['a'] },
  { id: 'd', estimateMs: 2 * MINUTE, needs: ['c'] },
]

test('a simulation at 120 columns', () => {
  assert.deepEqual(linesOf(shop, {}), [
    'checkout  4 tasks',
    '',
    '   -j    eager  saves  at best     idle         waves',
    '    1  12m 00s         12m 00s     0.0s   0%  12m 00s  1.00×',
    '  → 2   6m 00s    50%   6m 00s     0.0s   0%  10m 00s  1.67×',
    '    4   6m 00s     0%   6m 00s  12m 00s  50%  10m 00s  1.67×',
    '    8   6m 00s     0%   6m 00s  36m 00s  75%  10m 00s  1.67×',
    '  eager: a task starts as soon as it can. waves: batch by batch (--schedule waves).',
    '  saves: against the row above. at best: no order of the tasks is faster. ×: against eager.',
    '  idle: unused time of all slots together, and its share.',
    '',
    'Enough: -j 2. Twice as many tasks at a time save less than 10%.',
    'However many run at a time, nothing is faster than the critical path: 6m 00s (b).',
    'Cost: about $3.50 for 2 of 4 tasks (2 from the plan, 2 unknown).',
    'Estimates: 4 from the plan.',
    'Every task is assumed to succeed at its first try and to land at once.',
  ])
})

test('a budget that is used up shows how much is done', () => {
  const lines = linesOf(
    ['a', 'b', 'c'].map((id) => ({ id, estimateMs: MINUTE, estimateUsd: 2 })),
    { budgetUsd: 5, workers: [1, 2] },
  )
  assert.match(lines[3] ?? '', / 2 of 3 done$/)
})

test('a claim that holds the plan up more than its longest chain is named', () => {
  const drafts = ['a', 'b', 'c'].map((id) => ({ id, estimateMs: MINUTE, claims: { write: ['db/**'], read: [] } }))
  const lines = linesOf(drafts, { workers: [2] })
  assert.ok(
    lines.includes(
      'However many run at a time, nothing is faster than the 3 tasks that claim db/**, one after the other: 3m 00s.',
    ),
  )
  assert.ok(lines.includes('Cost: unknown (no `estimateUsd` in the plan, no earlier runs).'))
})

test('more workers that take longer are explained', () => {
  // The third worker takes `e` at once, and with it the claim that the long chain needs two minutes later.
  const claims = { write: ['db'], read: [] }
  const drafts = [
    { id: 'a', estimateMs: 2 * MINUTE },
    { id: 'b', estimateMs: 4 * MINUTE, needs: ['a'], claims },
    { id: 'c', estimateMs: 7 * MINUTE, needs: ['b'] },
    { id: 'e', estimateMs: 5 * MINUTE, claims },
    { id: 'f', estimateMs: 8 * MINUTE },
  ]
  const lines = linesOf(drafts, { workers: [2, 3] })
  assert.match(lines[4] ?? '', / −\d+%/, lines.join('\n'))
  assert.ok(lines.some((line) => line.startsWith('With -j 3 it takes longer: ')))
  assert.ok(!linesOf(shop, {}).some((line) => line.includes('it takes longer')))
})

test('nothing is wider than the terminal', () => {
  const chain = Array.from({ length: 60 }, (_, n) => ({
    id: `a-task-with-a-long-name-${n}`,
    needs: n === 0 ? [] : [`a-task-with-a-long-name-${n - 1}`],
  }))
  for (const width of [40, 80, 120]) {
    const lines = linesOf(chain, { width })
    for (const line of lines) assert.ok(displayWidth(line) <= width, line)
    assert.ok(lines.length < 28, `${lines.length}`)
  }
})
