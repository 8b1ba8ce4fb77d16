import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { type PlanOverview, planOverview } from '../../../src/workloads/analysis/overview.ts'
import { whyNever } from '../../../src/workloads/plan/never-runs.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'
import { makePlan } from '../../rig/plan.ts'

const MINUTE = 60_000

function overviewOf(text: string, budgetUsd: number | null = null): PlanOverview {
  const result = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(result.ok, JSON.stringify(result))
  return planOverview(result.value.plan, 2, budgetUsd)
}

test('batches are counted from 1 and say what they wait for', () => {
  const { batches } = overviewOf(`
tasks:
  - {id: a, run: x}
  - {id: b, run: x}
  - {id: c, run: x, needs: [b], after: [a]}
  - {id: d, run: x, needs: [c, a]}
`)
  assert.deepEqual(batches, [
    { number: 1, tasks: ['a', 'b'], waitsFor: [] },
    { number: 2, tasks: ['c'], waitsFor: ['a', 'b'] },
    { number: 3, tasks: ['d'], waitsFor: ['a', 'c'] },
  ])
})

test('waves say who is held back by whose claims', () => {
  const { waves } = overviewOf(`
tasks:
  - {id: a, run: x, claims: [src/**]}
  - {id: b, run: x, claims: [src/b.ts]}
  - {id: c, run: x, claims: {read: [src/b.ts]}}
  - {id: d, run: x, needs: [a], claims: [docs]}
`)
  assert.deepEqual(waves, [
    { number: 1, tasks: ['a'], waitsFor: [], heldBack: [] },
    {
      number: 2,
      tasks: ['b', 'd'],
      waitsFor: ['a'],
      heldBack: [{ task: 'b', by: 'a', pattern: 'src/**' }],
    },
    { number: 3, tasks: ['c'], waitsFor: [], heldBack: [{ task: 'c', by: 'b', pattern: 'src/b.ts' }] },
  ])
})

test('tasks that share a worktree are in one wave, and nobody holds them back', () => {
  const { waves } = overviewOf(`
defaults: {isolation: epic}
tasks:
  - {id: a, run: x, epic: e, claims: [src]}
  - {id: b, run: x, epic: e, needs: [a], claims: [src]}
  - {id: c, run: x, epic: f, needs: [b]}
`)
  assert.deepEqual(
    waves.map(({ tasks, waitsFor, heldBack }) => [tasks, waitsFor, heldBack.length]),
    [
      [['a', 'b'], [], 0],
      [['c'], ['b'], 0],
    ],
  )
})

test('epics have a stage, a width and a time of their own', () => {
  const { epics } = overviewOf(`
epics:
  - {id: web, title: Pages, needs: [api]}
  - {id: api, title: Service}
  - {id: nobody, title: Empty}
tasks:
  - {id: a, run: x, epic: api, estimate: 2m}
  - {id: b, run: x, epic: api, estimate: 3m}
  - {id: c, run: x, epic: api, needs: [a, b], estimate: 4m}
  - {id: d, run: x, epic: web, estimate: 5m}
  - {id: e, run: x, epic: web, needs: [d]}
`)
  // e has no estimate: the median of the plan, not of its epic.
  assert.deepEqual(epics, [
    {
      id: 'web',
      title: 'Pages',
      stage: 2,
      waitsFor: ['api'],
      tasks: 2,
      widest: 1,
      ms: 9 * MINUTE,
      totalMs: 9 * MINUTE,
    },
    { id: 'api', title: 'Service', stage: 1, waitsFor: [], tasks: 3, widest: 2, ms: 7 * MINUTE, totalMs: 9 * MINUTE },
  ])
})

test('what will never be done is named, with the reason', () => {
  const plan = makePlan([
    { id: 'far', outside: ['/etc/hosts'] },
    { id: 'next', needs: ['far'] },
    { id: 'last', needs: ['next'] },
    { id: 'whatever', after: ['far'] },
    { id: 'dear', estimateUsd: 5, budgetUsd: 2 },
    { id: 'big', estimateUsd: 30 },
    { id: 'maybe', expected: { usd: 30 } },
  ])
  const { never } = planOverview(plan, 2, 20)
  assert.deepEqual(
    never.map((one) => `${one.task}: ${whyNever(one)}`),
    [
      'far: /etc/hosts is outside of the repository',
      'next: it needs far',
      'last: it needs next',
      'dear: it would cost about $5.00, and its budget is $2.00',
      'big: it would cost about $30.00, and its budget is $20.00',
    ],
  )
  assert.deepEqual(planOverview(makePlan([{ id: 'a', estimateUsd: 30 }]), 2).never, [])
})
