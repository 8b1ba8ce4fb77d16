import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, LIMITS } from '../../../src/config.ts'
import type { Plan } from '../../../src/task.ts'
import { analysePlan } from '../../../src/workloads/analysis/analysis.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

function planOf(text: string): Plan {
  const result = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value.plan
}

const MINUTE = 60_000

test('levels, critical path and bounds of a small plan', () => {
  const plan = planOf(`
tasks:
  - {id: a, run: x, estimate: 1m}
  - {id: b, run: x, estimate: 5m}
  - {id: c, run: x, needs: [a], estimate: 3m}
  - {id: d, run: x, needs: [a, b], after: [c]}
`)
  const analysis = analysePlan(plan, 2)
  assert.equal(analysis.edges, 4)
  assert.deepEqual(analysis.levels, [['a', 'b'], ['c'], ['d']])
  assert.deepEqual(analysis.waves, [['a', 'b'], ['c'], ['d']])
  // d has no estimate: the median of 1, 3 and 5 minutes stands in.
  assert.equal(analysis.estimated, 1)
  assert.deepEqual(analysis.criticalPath, { tasks: ['b', 'd'], ms: 8 * MINUTE })
  assert.equal(analysis.totalMs, 12 * MINUTE)
  assert.equal(analysis.lowerBoundMs, 8 * MINUTE)
  assert.equal(analysePlan(plan, 1).lowerBoundMs, 12 * MINUTE)
})

test('without any estimate a task counts ten minutes', () => {
  const analysis = analysePlan(planOf('tasks: [{id: a, run: x}, {id: b, run: x}]'), 1)
  assert.equal(analysis.totalMs, 20 * MINUTE)
  assert.equal(analysis.estimated, 2)
})

test('a conflict is a pair of claims that meet in tasks nothing else orders', () => {
  const { conflicts, conflictCount, conflictsComplete } = analysePlan(
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
  assert.equal(analysePlan(planOf(`defaults: {isolation: epic}\n${tasks}`), 2).conflictCount, 0)
  assert.equal(analysePlan(planOf(tasks), 2).conflictCount, 1)
})

test('the list of conflicts is limited, their count is not', () => {
  const tasks = Array.from({ length: 40 }, (_, i) => ({ id: `t${i}`, run: 'x', claims: ['src'] }))
  const analysis = analysePlan(planOf(JSON.stringify({ tasks })), 4)
  assert.equal(analysis.conflicts.length, LIMITS.claimConflicts)
  assert.equal(analysis.conflictCount, (40 * 39) / 2)
  assert.equal(analysis.waves.length, 40)
})

test('what is too much to look at is said to be incomplete', () => {
  const tasks = Array.from({ length: 1_000 }, (_, i) => ({ id: `t${i}`, run: 'x', claims: ['src'] }))
  const analysis = analysePlan(planOf(JSON.stringify({ tasks })), 4)
  assert.equal(analysis.conflictsComplete, false)
  assert.ok(analysis.conflictCount >= LIMITS.claimConflicts)
})

test('many tasks with claims of their own are looked at completely', () => {
  const tasks = Array.from({ length: 20_000 }, (_, i) => ({
    id: `t${i}`,
    run: 'x',
    needs: i === 0 ? [] : [`t${i - 1}`],
    claims: Array.from({ length: 12 }, (_, n) => `m${i}/f${n}.ts`),
  }))
  const analysis = analysePlan(planOf(JSON.stringify({ tasks })), 4)
  assert.equal(analysis.conflictCount, 0)
  assert.ok(analysis.conflictsComplete)
  assert.equal(analysis.levels.length, 20_000)
})
