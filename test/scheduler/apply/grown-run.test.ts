// Random runs whose plans grow, against runs that began with all of their tasks, and against their own journals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limits } from '../../../src/event.ts'
import { apply } from '../../../src/scheduler/apply/apply.ts'
import { checkAdded } from '../../../src/scheduler/apply/grow.ts'
import { conflicts } from '../../../src/scheduler/claims/overlap.ts'
import { type Decided, decide } from '../../../src/scheduler/decide.ts'
import { buildGraph, medianEstimate, topologicalOrder, type Unit } from '../../../src/scheduler/graph.ts'
import { emptyState, type RunState } from '../../../src/scheduler/state.ts'
import type { Plan, Task } from '../../../src/task.ts'
import { checkSameDispatch } from '../../simulation/history.ts'
import { type Random, random } from '../../simulation/random.ts'
import { RESOURCES, randomPlan } from '../../simulation/random-plan.ts'
import { Core, LIMITS, planOf } from '../plan-rig.ts'

const SEEDS = 400

type Fate = 'land' | 'pass' | 'fail'

/** The batches a plan comes in, the first with a task that keeps the run open until all of them are there. */
type Grown = { batches: { tasks: Task[]; epics: Plan['epics'] }[]; fates: Map<string, Fate>; limits: Limits }

test(`${SEEDS} plans that grow end as they would have ended as a whole, start in order, and replay`, () => {
  let [late, failed] = [0, 0]
  for (let seed = 1; seed <= SEEDS; seed++) {
    const grown = randomGrowth(random(seed))
    try {
      const core = play(grown, random(seed))
      assert.deepEqual(core.statuses(), play(inOneBatch(grown), random(seed + 1)).statuses())
      checkSameDispatch({ original: planOfBatch(grown), limits: grown.limits, journal: core.journal })
    } catch (error) {
      throw new Error(`seed ${seed} failed`, { cause: error })
    }
    const [, ...more] = grown.batches
    late += more.length
    failed += [...grown.fates.values()].filter((fate) => fate === 'fail').length
  }
  assert.ok(late > SEEDS && failed > SEEDS, `only ${late} batches came later, and ${failed} tasks failed`)
})

function play(grown: Grown, rnd: Random): Core {
  const core = new Core(planOfBatch(grown), grown.limits)
  const isFirstInOrder = orderRule(core, grown)
  if (grown.limits.maxPerEpic === null) core.watch = isFirstInOrder
  const later = grown.batches.slice(1)
  while (core.state.finished === null) {
    const open = core.running.filter((id) => id !== 'gate' || later.length === 0)
    const batch = later.length > 0 && (open.length === 0 || rnd.chance(0.3)) ? later.shift() : undefined
    if (batch) {
      assert.deepEqual(checkAdded(core.state, batch), [])
      core.tell({ type: 'tasks.added', ...batch })
      checkReplay(core, grown)
    } else {
      const id = rnd.pick(open)
      const fate = grown.fates.get(id) ?? 'land'
      if (fate === 'fail') core.fail(id)
      else core.succeed(id, fate === 'land')
    }
    core.now += rnd.int(1000)
  }
  checkReplay(core, grown)
  return core
}

/** The journal alone gives all of the state again, and with it nothing left to decide. */
function checkReplay(core: Core, grown: Grown): void {
  const again = core.journal.reduce<RunState>(apply, emptyState(planOfBatch(grown), grown.limits))
  assert.equal(decide(again, core.now), null)
  assert.deepEqual(asWritten(again), asWritten(core.state))
}

/** Without what is only there until somebody looks at it. */
function asWritten(state: RunState): object {
  return { ...state, changed: null, ledger: { ...state.ledger, fresh: null } }
}

/**
 * Of those that are ready and whose claims are free, the one that starts has the highest priority, then the longest chain
 * of what was in the plan with it when it came, then the first place.
 */
function orderRule(core: Core, { batches }: Grown): (decision: Decided) => void {
  const unknown = medianEstimate(batches[0]?.tasks ?? [])
  const remaining = new Map<string, number>()
  for (const { tasks } of batches) {
    // A graph of its own knows nothing of the other batches.
    const graph = buildGraph({ ...planOf(), tasks })
    const longest = (unit: Unit): number => {
      const own = unit.members.reduce((ms, member) => ms + (tasks[member]?.estimateMs ?? unknown), 0)
      const behind = [...unit.dependents, ...unit.followers].map((next) => longest(graph.units[next] as Unit))
      return own + Math.max(0, ...behind)
    }
    for (const unit of graph.units)
      for (const member of unit.members) remaining.set(tasks[member]?.id ?? '', longest(unit))
  }
  return (decision) => {
    if (decision.type !== 'attempt.started') return
    const { graph, units, claims } = core.state
    const held = graph.units.filter(({ index }) => claims.holds(index))
    const isFree = (unit: Unit) =>
      core.state.workers.best(unit.requires) !== null && !held.some((other) => meet(unit, other))
    const ready = graph.units.filter((unit) => units[unit.index]?.status === 'ready' && isFree(unit))
    const place = ({ members, index }: Unit) => {
      const tasks = members.map((member) => graph.tasks[member] as Task)
      const priority = Math.max(...tasks.map((task) => task.priority))
      return [-priority, -(remaining.get(tasks[0]?.id ?? '') ?? 0), index]
    }
    const [first] = ready.map((unit) => ({ unit, place: place(unit) })).sort((a, b) => compare(a.place, b.place))
    const started = graph.unitOf[graph.taskIndex.get(decision.task) ?? -1]
    if (units[started ?? -1]?.status !== 'continuing') assert.equal(started, first?.unit.index, 'who is first in order')
  }
}

function meet(a: Unit, b: Unit): boolean {
  return a.claims.some((mine) => b.claims.some((theirs) => conflicts(mine, theirs)))
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, n) => value !== b[n])
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number)
}

function randomGrowth(rnd: Random): Grown {
  const { epics, tasks } = withoutMoney(randomPlan(rnd))
  const [gate] = planOf({ id: 'gate', land: false, estimateMs: 1_000_000_000, priority: 9 }).tasks as [Task]
  const number = batchOfEach({ ...planOf(), tasks }, rnd)
  const count = Math.max(0, ...number.values()) + 1
  const batches = Array.from({ length: count }, (_, n) => {
    const own = tasks.filter(({ id }) => number.get(id) === n)
    // An epic comes with the first of its tasks.
    const first = epics.filter(({ id }) => n === firstOf(tasks, number, id))
    return { tasks: n === 0 ? [gate, ...own] : own, epics: first }
  })
  const fates = new Map(tasks.map(({ id }) => [id, rnd.pick<Fate>(['land', 'land', 'pass', 'fail'])]))
  const schedule = rnd.chance(0.3) ? ('waves' as const) : ('eager' as const)
  const limits: Limits = {
    ...LIMITS,
    labels: ['gpu', 'arm'],
    slots: 2 + rnd.int(3),
    schedule,
    maxPerEpic: rnd.chance(0.3) ? 1 : null,
  }
  return { batches: batches.filter(({ tasks: own }) => own.length > 0), fates, limits }
}

/** A batch has all that its tasks wait for, or an earlier one has it; what lands together comes together. */
function batchOfEach(plan: Plan, rnd: Random): Map<string, number> {
  const graph = buildGraph(plan)
  const most = 1 + rnd.int(6)
  const batch: number[] = []
  for (const index of topologicalOrder(graph)) {
    const { needs, after } = graph.units[index] as Unit
    batch[index] = Math.max(rnd.int(most), ...[...needs, ...after].map((other) => batch[other] ?? 0))
  }
  return new Map(plan.tasks.map(({ id }, task) => [id, batch[graph.unitOf[task] ?? -1] ?? 0]))
}

function firstOf(tasks: Task[], number: Map<string, number>, epic: string): number {
  return Math.min(...tasks.filter((task) => task.epic === epic).map(({ id }) => number.get(id) ?? 0))
}

function withoutMoney({ epics, tasks, ...plan }: Plan): Plan {
  return {
    ...plan,
    epics: epics.map(({ budgetUsd, ...epic }) => epic),
    tasks: tasks.map(({ budgetUsd, estimateUsd, ...task }) => ({ ...task, retries: 0 })),
  }
}

function inOneBatch({ batches, ...rest }: Grown): Grown {
  const all = { tasks: batches.flatMap(({ tasks }) => tasks), epics: batches.flatMap(({ epics }) => epics) }
  return { ...rest, batches: [all] }
}

function planOfBatch({ batches: [first] }: Grown): Plan {
  return { ...planOf(), resources: RESOURCES, tasks: first?.tasks ?? [], epics: first?.epics ?? [] }
}
