// What it costs to add tasks to a run as its plan gets larger: the check, the event, and the decision after it.
import { apply } from '../src/scheduler/apply/apply.ts'
import { checkAdded } from '../src/scheduler/apply/grow.ts'
import { decide } from '../src/scheduler/decide.ts'
import type { RunState } from '../src/scheduler/state.ts'
import { type Random, random } from '../test/simulation/random.ts'
import { atMost, type Bar, type Scene, type Table } from './benchmark.ts'
import { newTask } from './espalier-run.ts'
import { largePlan, type Shape } from './large-plan.ts'
import { median } from './statistics.ts'
import { newLimits, virtualRun } from './virtual-run.ts'

const SIZES = [10_000, 100_000]
const SHAPES: Shape[] = ['independent', 'layered', 'own-claims']
const ADDED = 100
const ROUNDS = 60

/** log(100,000) / log(10,000), doubled for what larger tables cost the processor's caches. */
const GROWTH_LIMIT = 2 * (Math.log(100_000) / Math.log(10_000))

export function growing({ say }: Scene): { table: Table; bars: Bar[] } {
  const rows: (string | number)[][] = []
  const bars: Bar[] = []
  for (const shape of SHAPES) {
    say(`growing: ${shape}`)
    const costs = microseconds(shape)
    const growth = (costs.at(-1) as number) / (costs[0] as number)
    rows.push([shape, ...costs, growth])
    bars.push(atMost(`${shape}: growth of adding a task, ×10 tasks`, growth, GROWTH_LIMIT, '×'))
  }
  const columns = ['shape', ...SIZES.map((size) => `${size.toLocaleString('en-US')} tasks`), 'growth']
  return {
    table: { title: `µs per task added to a run, ${ADDED} at a time, median of ${ROUNDS}`, columns, rows },
    bars,
  }
}

/** In turns, so that a machine that is busy for a while is busy for both. */
function microseconds(shape: Shape): number[] {
  const runs = SIZES.map((size) => {
    const { state } = virtualRun(largePlan(size, shape), { limits: newLimits(16), until: 2_000 })
    return { state, rnd: random(size), times: [] as number[] }
  })
  for (let round = 0; round < ROUNDS; round++)
    for (const { state, rnd, times } of runs) times.push(addingMs(state, rnd, round))
  return runs.map(({ times }) => (median(times) * 1000) / ADDED)
}

function addingMs(state: RunState, rnd: Random, round: number): number {
  const there = state.graph.tasks.length
  const tasks = Array.from({ length: ADDED }, (_, n) => {
    const needs = rnd.chance(0.5) ? [`t${rnd.int(there - round * ADDED)}`] : []
    const claims = { write: [`new/${round}/${n}`], read: [] }
    return newTask(`n${round}-${n}`, { needs, claims, priority: rnd.int(2), estimateMs: rnd.int(600_000) })
  })
  const start = performance.now()
  if (checkAdded(state, { tasks, epics: [] }).length > 0) throw new Error('the tasks could not be added')
  apply(state, { type: 'tasks.added', tasks, epics: [], seq: 0, at: state.lastAt })
  decide(state, state.lastAt)
  return performance.now() - start
}
