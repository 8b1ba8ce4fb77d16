import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, LIMITS } from '../../../src/config.ts'
import type { Plan } from '../../../src/task.ts'
import { planOverview } from '../../../src/workloads/analysis/overview.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

function planOf(text: string): Plan {
  const result = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value.plan
}

const MINUTE = 60_000

test('batches, waves, critical path and bounds of a small plan', () => {
  const plan = planOf(`
tasks:
  - {id: a, run: x, estimate: 1m}
  - {id: b, run: x, estimate: 5m}
  - {id: c, run: x, needs: [a], estimate: 3m}
  - {id: d, run: x, needs: [a, b], after: [c]}
`)
  const overview = planOverview(plan, 2)
  assert.equal(overview.edges, 4)
  for (const groups of [overview.batches, overview.waves])
    assert.deepEqual(
      groups.map(({ tasks }) => tasks),
      [['a', 'b'], ['c'], ['d']],
    )
  // d has no estimate: the median of 1, 3 and 5 minutes stands in.
  assert.equal(overview.estimated, 1)
  assert.deepEqual(overview.criticalPath, { tasks: ['b', 'd'], ms: 8 * MINUTE })
  assert.equal(overview.totalMs, 12 * MINUTE)
  assert.equal(overview.lowerBoundMs, 8 * MINUTE)
  assert.equal(planOverview(plan, 1).lowerBoundMs, 12 * MINUTE)
})

test('without any estimate a task counts ten minutes', () => {
  const overview = planOverview(planOf('tasks: [{id: a, run: x}, {id: b, run: x}]'), 1)
  assert.equal(overview.totalMs, 20 * MINUTE)
  assert.equal(overview.estimated, 2)
})

test('a conflict is a pair of claims that meet in tasks nothing else orders', () => {
  const { conflicts, conflictCount, conflictsComplete } = planOverview(
    planOf(`
tasks:
  - {id: a, run: x, claims: [src/api/**]}
  - {id: b, run: x, claims: [src/api/users.ts, docs]}
  - {id: c, run: x, claims: [src/**], needs: [b]}
  - {id: d, run: x, claims: {read: [docs/x.md]}, after: [c]}
  - {id: e, run: x, claims: {read: [docs]}}
  - {id: f, run: x, claims: ["{src,docs}/api/**"]}
  - {id: g, run: x, claims: [db]}
`),
    2,
  )
  assert.deepEqual(
    conflicts.map(({ a, b, paths }) => `${a} ${b}: ${paths.toSorted().join(' ')}`),
    [
      'a b: src/api/** src/api/users.ts',
      'a c: src/** src/api/**',
      'a f: src/api/** {src,docs}/api/**',
      'b e: docs',
      'b f: docs src/api/users.ts {src,docs}/api/**',
      'c f: src/** {src,docs}/api/**',
      'e f: docs {src,docs}/api/**',
    ],
  )
  assert.equal(conflictCount, conflicts.length)
  assert.ok(conflictsComplete)
})

test('tasks that share a worktree do not conflict', () => {
  const tasks = 'tasks: [{id: a, run: x, epic: e, claims: [src]}, {id: b, run: x, epic: e, claims: [src]}]'
  assert.equal(planOverview(planOf(`defaults: {isolation: epic}\n${tasks}`), 2).conflictCount, 0)
  assert.equal(planOverview(planOf(tasks), 2).conflictCount, 1)
})

test('the list of conflicts is limited, their count is not', () => {
  const tasks = Array.from({ length: 40 }, (_, i) => ({ id: `t${i}`, run: 'x', claims: ['src'] }))
  const overview = planOverview(planOf(JSON.stringify({ tasks })), 4)
  assert.equal(overview.conflicts.length, LIMITS.claimConflicts)
  assert.equal(overview.conflictCount, (40 * 39) / 2)
  assert.equal(overview.waves.length, 40)
})

test('what is too much to look at is said to be incomplete', () => {
  const tasks = Array.from({ length: 1_000 }, (_, i) => ({ id: `t${i}`, run: 'x', claims: ['src'] }))
  const overview = planOverview(planOf(JSON.stringify({ tasks })), 4)
  assert.equal(overview.conflictsComplete, false)
  assert.ok(overview.conflictCount >= LIMITS.claimConflicts)
})

test('many tasks with claims of their own are looked at completely', () => {
  const tasks = Array.from({ length: 20_000 }, (_, i) => ({
    id: `t${i}`,
    run: 'x',
    needs: i === 0 ? [] : [`t${i - 1}`],
    claims: Array.from({ length: 12 }, (_, n) => `m${i}/f${n}.ts`),
  }))
  const overview = planOverview(planOf(JSON.stringify({ tasks })), 4)
  assert.equal(overview.conflictCount, 0)
  assert.ok(overview.conflictsComplete)
  assert.equal(overview.batches.length, 20_000)
})
