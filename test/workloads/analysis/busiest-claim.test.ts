import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { overlaps } from '../../../src/scheduler/claims/overlap.ts'
import type { Plan, Task } from '../../../src/task.ts'
import { simulatePlan } from '../../../src/workloads/analysis/simulate.ts'
import { taskGraph } from '../../../src/workloads/analysis/task-graph.ts'
import { planTimes } from '../../../src/workloads/analysis/times.ts'
import { makePlan, type TaskDraft } from '../../rig/plan.ts'
import { type Random, random } from '../../simulation/random.ts'

/** Tasks of one minute each, by what they write and read. */
function claiming(...claims: { write?: string[]; read?: string[]; epic?: string }[]): Task[] {
  return makePlan(
    claims.map(({ write = [], read = [], epic }, n) => ({
      id: `t${n}`,
      claims: { write, read },
      ...(epic === undefined ? {} : { epic, isolation: 'epic' }),
    })),
  ).tasks
}

const busiest = (tasks: Task[]) => {
  const timed = tasks.map((task) => ({ ...task, estimateMs: 1 }))
  return planTimes(timed, taskGraph(timed)).busiestClaim
}

describe('tasks that their claims let run only one after the other', () => {
  const CASES: [what: string, tasks: Task[], pattern: string | null, count: number][] = [
    ['that write to the same place', claiming({ write: ['a'] }, { write: ['a'] }, { write: ['b'] }), 'a', 2],
    ['readers do not wait for each other', claiming({ read: ['a'] }, { read: ['a'] }), null, 0],
    [
      'tasks of an epic in one worktree follow each other anyway',
      claiming({ write: ['a'], epic: 'e' }, { write: ['a'], epic: 'e' }, { write: ['a'] }),
      'a',
      3,
    ],
    ['a task that claims the same twice is one', claiming({ write: ['a', 'a/**', 'a'] }), null, 0],
  ]
  for (const [what, tasks, pattern, count] of CASES)
    test(what, () => {
      const expected = pattern === null ? null : { pattern, tasks: count, ms: count, boundMs: count }
      assert.deepEqual(busiest(tasks), expected)
    })

  test('what has to come before the first and after the last of them counts', () => {
    const write = { claims: { write: ['src/**'], read: [] } }
    const { tasks } = makePlan([
      { id: 'first' },
      { id: 'a', needs: ['first'], ...write },
      { id: 'b', needs: ['first'], ...write },
      { id: 'c', needs: ['a'] },
      { id: 'last', needs: ['b', 'c'] },
    ])
    assert.deepEqual(busiest(tasks), { pattern: 'src/**', tasks: 2, ms: 2, boundMs: 4 })
  })

  test('however many there are, there is an answer soon', () => {
    const wild = Array.from({ length: 3_000 }, (_, n) => ({ write: [`**/x${n}*/**`, 'db/schema.sql'] }))
    assert.equal(busiest(claiming(...wild))?.tasks, 3_000)
  })
})

test('no schedule there is of a small plan is faster than the bound, and often none is longer than it has to be', () => {
  let [tight, plans] = [0, 0]
  for (let seed = 1; seed <= 300; seed++) {
    const r = random(seed)
    const plan = smallPlan(r)
    const workers = 1 + r.int(4)
    const [row] = simulatePlan(plan, { maxPerEpic: null, budgetUsd: null }, [workers]).rows
    assert.ok(row)
    const best = bestMakespan(plan, workers)
    assert.ok(row.lowerBoundMs <= best, `seed ${seed}: the bound is ${row.lowerBoundMs}, the best schedule ${best}`)
    assert.ok(row.eager.makespanMs >= best, `seed ${seed}: the scheduler took ${row.eager.makespanMs}, at best ${best}`)
    plans++
    if (row.lowerBoundMs === best) tight++
  }
  assert.ok(tight > 0.4 * plans, `the bound was reached in ${tight} of ${plans} plans`)
})

const PATTERNS = ['**', 'src/**', 'src/a/**', 'src/a/x.ts', 'src/b/**', 'src/b/y.ts', '**/*.ts', 'docs/**', 'db']

function smallPlan(r: Random): Plan {
  const drafts = Array.from({ length: 2 + r.int(4) }, (_, n): TaskDraft => {
    const pick = (most: number) => Array.from({ length: r.int(most + 1) }, () => r.pick(PATTERNS))
    const needs = n > 0 && r.chance(0.3) ? [`t${r.int(n)}`] : []
    return { id: `t${n}`, needs, estimateMs: 1 + r.int(5), claims: { write: pick(2), read: pick(1) } }
  })
  // Only the last two share a worktree: nobody waits for them, so they wait for nobody in a circle.
  if (r.chance(0.3)) for (const draft of drafts.slice(-2)) Object.assign(draft, { epic: 'e', isolation: 'epic' })
  return makePlan(drafts)
}

type Unit = { tasks: Task[]; ms: number }

/**
 * Of all schedules: units one by one in every order, each as early as what it needs, the workers and the claims let it.
 * One of these is as short as any schedule can be.
 */
function bestMakespan({ tasks }: Plan, workers: number): number {
  const units = [...Map.groupBy(tasks, ({ id, epic }) => epic ?? id).values()].map((members): Unit => {
    return { tasks: members, ms: members.reduce((ms, { estimateMs }) => ms + (estimateMs ?? 0), 0) }
  })
  let best = Number.POSITIVE_INFINITY
  const place = (placed: { unit: Unit; from: number; to: number }[]): void => {
    if (placed.length === units.length)
      best = Math.min(
        best,
        placed.reduce((end, { to }) => Math.max(end, to), 0),
      )
    for (const unit of units) {
      if (placed.some((one) => one.unit === unit)) continue
      const needs = units.filter((other) => other !== unit && waitsFor(unit, other))
      const before = placed.filter((one) => needs.includes(one.unit))
      if (before.length < needs.length) continue
      const earliest = before.reduce((end, { to }) => Math.max(end, to), 0)
      const starts = [earliest, ...placed.map(({ to }) => to).filter((to) => to > earliest)].sort((a, b) => a - b)
      const from = starts.find((start) => isFree(unit, start, placed, workers)) ?? Number.POSITIVE_INFINITY
      place([...placed, { unit, from, to: from + unit.ms }])
    }
  }
  place([])
  return best
}

function waitsFor(unit: Unit, other: Unit): boolean {
  return unit.tasks.some(({ needs }) => other.tasks.some(({ id }) => needs.includes(id)))
}

function isFree(
  unit: Unit,
  from: number,
  placed: { unit: Unit; from: number; to: number }[],
  workers: number,
): boolean {
  const beside = placed.filter((one) => one.from < from + unit.ms && from < one.to)
  if (beside.some((one) => collide(unit, one.unit))) return false
  const atOnce = (time: number) => beside.filter((one) => one.from <= time && time < one.to).length
  return [from, ...beside.map((one) => one.from).filter((time) => time > from)].every((time) => atOnce(time) < workers)
}

function collide(a: Unit, b: Unit): boolean {
  const of = ({ tasks }: Unit, mode: 'write' | 'read') => tasks.flatMap(({ claims }) => claims[mode])
  const meet = (some: string[], others: string[]) => some.some((one) => others.some((other) => overlaps(one, other)))
  const [write, others] = [of(a, 'write'), of(b, 'write')]
  return meet(write, others) || meet(write, of(b, 'read')) || meet(of(a, 'read'), others)
}
