// The fleet: what decisions cost with a thousand workers, on the pure core, and what real workers take, with the server, the
// coordinators and Postgres on this machine.
import type { Benchmark, Report } from './benchmark.ts'
import { decisions } from './fleet-decisions.ts'
import { losses } from './fleet-losses.ts'
import { startLatency, transfer } from './fleet-starts.ts'
import { throughput } from './fleet-throughput.ts'

export const fleet: Benchmark = {
  name: 'fleet',
  about: 'decisions with up to 1,000 workers; real workers: throughput, starts, transfer, losses',
  async run(scene) {
    const reports: Report[] = [decisions(scene)]
    for (const part of [startLatency, transfer, throughput, losses]) reports.push(await part(scene))
    return { tables: reports.flatMap(({ tables }) => tables), bars: reports.flatMap(({ bars }) => bars) }
  },
}
