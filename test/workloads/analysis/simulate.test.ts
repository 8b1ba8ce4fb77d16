import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededGraph } from '../../../bench/seeded-graph.ts'
import { virtualLimits, virtualRun } from '../../../src/scheduler/virtual-run.ts'
import { simulatedSchedule, simulatePlan } from '../../../src/workloads/analysis/simulate.ts'
import { makePlan, type TaskDraft } from '../../rig/plan.ts'

const RULES = { maxPerEpic: null, budgetUsd: null }
const MINUTE = 60_000

function independent(count: number, more: Partial<TaskDraft> = {}): TaskDraft[] {
  return Array.from({ length: count }, (_, n) => ({ id: `t${n}`, estimateMs: MINUTE, ...more }))
}

test('independent tasks: twice the workers, half the time, until there are as many as tasks', () => {
  const { rows, enough } = simulatePlan(makePlan(independent(8)), RULES)
  assert.equal(enough, 8)
  assert.deepEqual(
    rows.map(({ workers, lowerBoundMs, eager, waves }) => [workers, lowerBoundMs, eager.makespanMs, waves.makespanMs]),
    [
      [1, 8 * MINUTE, 8 * MINUTE, 8 * MINUTE],
      [2, 4 * MINUTE, 4 * MINUTE, 4 * MINUTE],
      [4, 2 * MINUTE, 2 * MINUTE, 2 * MINUTE],
      [8, MINUTE, MINUTE, MINUTE],
      [16, MINUTE, MINUTE, MINUTE],
    ],
  )
  assert.deepEqual(
    rows.map(({ eager }) => eager.idleMs / MINUTE),
    [0, 0, 0, 0, 8],
  )
})

test('what cannot be done takes no time, in the bounds either', () => {
  const [a, b, c] = independent(3)
  const plan = makePlan([a, { ...b, outside: ['/etc/passwd'] }, { ...c, needs: ['t1'] }] as TaskDraft[])
  const { rows, criticalPath, totalMs } = simulatePlan(plan, RULES)
  assert.deepEqual([criticalPath, totalMs], [{ tasks: ['t0'], ms: MINUTE }, MINUTE])
  assert.ok(rows.every(({ lowerBoundMs, eager }) => lowerBoundMs === MINUTE && eager.makespanMs === MINUTE))
})

test('a chain is as long with many workers as with one', () => {
  const chain = independent(4).map((task, n) => ({ ...task, needs: n === 0 ? [] : [`t${n - 1}`] }))
  const { rows, enough, criticalPath } = simulatePlan(makePlan(chain), RULES)
  assert.equal(enough, 1)
  assert.deepEqual(criticalPath, { tasks: ['t0', 't1', 't2', 't3'], ms: 4 * MINUTE })
  assert.ok(rows.every(({ eager }) => eager.makespanMs === 4 * MINUTE))
  assert.deepEqual(
    rows.map(({ workers }) => workers),
    [1, 2, 4, 8],
  )
})

test('tasks that write to the same place take turns, and the bound knows it', () => {
  const { rows, enough, busiestClaim } = simulatePlan(
    makePlan(independent(6, { claims: { write: ['db/**'], read: [] } })),
    RULES,
    [1, 3],
  )
  assert.deepEqual(busiestClaim, { pattern: 'db/**', tasks: 6, ms: 6 * MINUTE, boundMs: 6 * MINUTE })
  assert.equal(enough, 1)
  assert.deepEqual(
    rows.map(({ workers, lowerBoundMs, eager }) => [workers, lowerBoundMs, eager.makespanMs]),
    [
      [1, 6 * MINUTE, 6 * MINUTE],
      [3, 6 * MINUTE, 6 * MINUTE],
    ],
  )
})

test('the numbers of workers somebody asks for come in order, each once', () => {
  const { rows } = simulatePlan(makePlan(independent(3)), RULES, [5, 2, 5])
  assert.deepEqual(
    rows.map(({ workers }) => workers),
    [2, 5],
  )
})

test('where more workers always pay, none is said to be enough', () => {
  const { rows, enough } = simulatePlan(makePlan(independent(500)), RULES)
  assert.equal(enough, null)
  assert.equal(rows.at(-1)?.workers, 64)
})

test('a time that nobody knows is the median of the others, and a timeout ends nothing', () => {
  const drafts: TaskDraft[] = [
    { id: 'a', estimateMs: 2 * MINUTE },
    { id: 'b', estimateMs: 9 * MINUTE, timeoutMs: MINUTE },
    { id: 'c', estimateMs: 3 * MINUTE },
    { id: 'd' },
  ]
  const { rows } = simulatePlan(makePlan(drafts), RULES, [1, 2])
  assert.deepEqual(
    rows.map(({ eager }) => [eager.makespanMs / MINUTE, eager.done]),
    [
      [17, 4],
      [9, 4],
    ],
  )
})

test('cost is what is known of it, and a budget stops the run as it would', () => {
  const drafts = independent(4).map((task, n) => (n === 3 ? task : { ...task, estimateUsd: 2 }))
  const free = simulatePlan(makePlan(drafts), RULES, [1])
  assert.deepEqual([free.costUsd, free.costKnown], [6, 3])
  const tight = simulatePlan(makePlan(drafts), { ...RULES, budgetUsd: 5 }, [1])
  const { done, costUsd } = tight.rows[0]?.eager ?? {}
  assert.deepEqual([done, costUsd], [3, 4])
  const unknown = simulatePlan(makePlan(independent(2)), RULES, [1])
  assert.deepEqual([unknown.costUsd, unknown.costKnown], [null, 0])
})

test('a plan without tasks takes no time', () => {
  const { rows, enough } = simulatePlan(makePlan([]), RULES)
  assert.equal(enough, 1)
  assert.ok(rows.every(({ eager, lowerBoundMs }) => eager.makespanMs === 0 && lowerBoundMs === 0))
})

test('the schedule says who does what when, and nobody does two things at once', () => {
  const { plan } = seededGraph(7, { claims: true })
  const schedule = simulatedSchedule(plan, RULES, 3)
  assert.equal(schedule.length, plan.tasks.length)
  for (const own of Map.groupBy(schedule, ({ worker }) => worker).values()) {
    const sorted = own.toSorted((a, b) => a.fromMs - b.fromMs)
    sorted.forEach(({ fromMs }, at) => {
      assert.ok(at === 0 || fromMs >= (sorted[at - 1]?.toMs ?? 0))
    })
  }
})

test('a plan of one wave: the figures of waves are those that the scheduler gives', () => {
  const drafts = Array.from({ length: 30 }, (_, n) => ({
    id: `t${n}`,
    epic: `e${n % 3}`,
    estimateMs: ((n * 7) % 11) * MINUTE + MINUTE,
    claims: { write: [`src/${n}/**`], read: [] },
  }))
  const plan = { ...makePlan(drafts), epics: [0, 1, 2].map((n) => ({ id: `e${n}`, title: '', needs: [] })) }
  for (const { workers, waves } of simulatePlan(plan, { maxPerEpic: 2, budgetUsd: null }, [1, 4, 8]).rows) {
    const limits = virtualLimits(workers, { schedule: 'waves', maxPerEpic: 2 })
    assert.equal(waves.makespanMs, virtualRun(plan, { limits }).makespanMs)
  }
})

test('whatever the plan, no schedule beats the bound, and idle and busy time add up', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { plan } = seededGraph(seed, { claims: seed % 2 === 0 })
    const { rows, totalMs } = simulatePlan(plan, RULES, [1, 3, 8])
    for (const { workers, lowerBoundMs, eager, waves } of rows) {
      for (const { makespanMs, idleMs, done } of [eager, waves]) {
        assert.equal(done, plan.tasks.length)
        assert.ok(makespanMs >= lowerBoundMs - 1, `seed ${seed}, ${workers} workers`)
        assert.ok(Math.abs(workers * makespanMs - idleMs - totalMs) < 1)
      }
    }
  }
})
