// How long a run takes against the shortest it could take, eager and in waves.
import { atMost, type Benchmark } from './benchmark.ts'
import { lowerBoundMs, seededGraph } from './seeded-graph.ts'
import { mean, median, percentile } from './statistics.ts'
import { newLimits, virtualRun } from './virtual-run.ts'

const GRAPHS = 300

export const makespan: Benchmark = {
  name: 'makespan',
  about: `makespan / lower bound on ${GRAPHS} seeded graphs, virtual clock`,
  async run() {
    const rows: (string | number)[][] = []
    let eager = 0
    for (const claims of [false, true]) {
      for (const schedule of ['eager', 'waves'] as const) {
        const ratios = Array.from({ length: GRAPHS }, (_, seed) => ratio(seed + 1, claims, schedule))
        rows.push([
          schedule,
          claims ? 'with claims' : 'without',
          mean(ratios),
          median(ratios),
          percentile(ratios, 0.95),
          Math.max(...ratios),
        ])
        if (schedule === 'eager' && !claims) eager = mean(ratios)
      }
    }
    const columns = ['schedule', 'claims', 'mean', 'median', 'p95', 'worst']
    const title = '50–200 tasks in 3–20 layers, lognormal durations, 2–8 slots; the bound knows nothing of claims'
    return {
      tables: [{ title, columns, rows }],
      bars: [atMost('eager without claims, mean', eager, 1.05, '×')],
    }
  },
}

function ratio(seed: number, claims: boolean, schedule: 'eager' | 'waves'): number {
  const { plan, slots } = seededGraph(seed, { claims })
  const { makespanMs, state } = virtualRun(plan, { limits: newLimits(slots, { schedule }) })
  if (state.finished !== 'completed') throw new Error(`graph ${seed} did not come to its end`)
  return makespanMs / lowerBoundMs(plan, slots)
}
