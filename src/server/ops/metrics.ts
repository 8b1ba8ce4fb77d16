// Metrics for Prometheus. Figures of runs are read from their views on each request; attempts and landings are counted as
// their events come.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listRuns } from '../../workspace/read-runs.ts'
import type { HubEntry } from '../events/hub.ts'
import type { Project, Projects } from '../projects/projects.ts'

export class Metrics {
  readonly #registry = new Registry()
  readonly #projects: Projects
  readonly #streams: () => number
  readonly #attempts: Counter<'project' | 'outcome'>
  readonly #landing: Histogram<'project'>
  readonly #runs: Gauge<'project' | 'status'>
  readonly #tasks: Gauge<'project' | 'status'>
  readonly #slots: Gauge<'project'>
  readonly #spent: Gauge<'project'>
  /** When the last attempt of a task that waits to land ended. */
  readonly #done = new Map<string, number>()

  constructor(projects: Projects, streams: () => number) {
    this.#projects = projects
    this.#streams = streams
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
      new Gauge({ name, help, labelNames, registers })
    this.#runs = gauge('espalier_runs', 'runs that are kept, by status', ['project', 'status'])
    this.#tasks = gauge('espalier_tasks', 'tasks of the newest run, by status', ['project', 'status'])
    this.#slots = gauge('espalier_slots', 'tasks that may run at the same time in the newest run', ['project'])
    this.#spent = gauge('espalier_spent_usd', 'US dollars spent by the runs that are kept', ['project'])
    const open = gauge('espalier_streams', 'events and logs that are followed', [])
    open.set(0)
    this.#attempts = new Counter({
      name: 'espalier_attempts_total',
      help: 'attempts that ended since the server began, by outcome',
      labelNames: ['project', 'outcome'],
      registers,
    })
    this.#landing = new Histogram({
      name: 'espalier_landing_seconds',
      help: 'from the end of an attempt until its work had landed',
      labelNames: ['project'],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
      registers,
    })
  }

  take({ id }: Project, { run, event }: HubEntry): void {
    if (event.type === 'attempt.finished') {
      this.#attempts.inc({ project: id, outcome: event.outcome })
      if (event.outcome === 'changed' && this.#done.size < MOST_WAITING)
        this.#done.set(`${id} ${run} ${event.task}`, event.at)
    }
    if (event.type !== 'landing.landed') return
    for (const task of event.tasks) {
      const key = `${id} ${run} ${task}`
      const done = this.#done.get(key)
      this.#done.delete(key)
      if (done !== undefined) this.#landing.observe({ project: id }, (event.at - done) / 1000)
    }
  }

  async text(): Promise<string> {
    for (const gauge of [this.#runs, this.#tasks, this.#slots, this.#spent]) gauge.reset()
    for (const { id, workspace } of await this.#projects.all()) {
      const runs = await listRuns(workspace)
      if (!runs.ok) continue
      for (const { status, usage } of runs.value) {
        this.#runs.inc({ project: id, status })
        this.#spent.inc({ project: id }, usage.costUsd)
      }
      const [newest] = runs.value
      if (!newest) continue
      this.#slots.set({ project: id }, newest.slots)
      const { total: _, ...counts } = newest.counts
      for (const [status, count] of Object.entries(counts)) this.#tasks.set({ project: id, status }, count)
    }
    const open = this.#registry.getSingleMetric('espalier_streams')
    if (open instanceof Gauge) open.set(this.#streams())
    return this.#registry.metrics()
  }
}

const MOST_WAITING = 100_000
