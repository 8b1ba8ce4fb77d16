// Metrics for Prometheus. Figures of runs are read from their views on each request; attempts and landings are counted as
// their events come.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listRuns } from '../../workspace/read-runs.ts'
import type { HubEntry } from '../events/hub.ts'
import type { Project, Projects } from '../projects/projects.ts'

/** `streams`: the number of events and logs that are followed now. */
export function serverMetrics(projects: Projects, streams: () => number) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers })
  const runs = gauge('espalier_runs', 'runs that are kept, by status', 'project', 'status')
  const tasks = gauge('espalier_tasks', 'tasks of the newest run, by status', 'project', 'status')
  const slots = gauge('espalier_slots', 'tasks that may run at the same time in the newest run', 'project')
  const spent = gauge('espalier_spent_usd', 'US dollars spent by the runs that are kept', 'project')
  const open = gauge('espalier_streams', 'events and logs that are followed')
  const attempts = new Counter({
    name: 'espalier_attempts_total',
    help: 'attempts that ended since the server began, by outcome',
    labelNames: ['project', 'outcome'],
    registers,
  })
  const landing = new Histogram({
    name: 'espalier_landing_seconds',
    help: 'from the end of an attempt until its work had landed',
    labelNames: ['project'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
    registers,
  })
  /** Time at which the last attempt of a task that waits to land ended. */
  const doneAt = new Map<string, number>()

  const take = ({ id: project }: Project, { run, event }: HubEntry) => {
    const keyOf = (task: string) => `${project} ${run} ${task}`
    if (event.type === 'attempt.finished') {
      attempts.inc({ project, outcome: event.outcome })
      if (event.outcome === 'changed' && doneAt.size < MOST_WAITING) doneAt.set(keyOf(event.task), event.at)
    }
    for (const task of event.type === 'landing.landed' ? event.tasks : []) {
      const done = doneAt.get(keyOf(task))
      doneAt.delete(keyOf(task))
      if (done !== undefined) landing.observe({ project }, (event.at - done) / 1000)
    }
  }

  const text = async () => {
    for (const gauge of [runs, tasks, slots, spent]) gauge.reset()
    open.set(streams())
    for (const { id: project, workspace } of await projects.all()) {
      const listed = await listRuns(workspace)
      if (!listed.ok) continue
      for (const { status, usage } of listed.value) {
        runs.inc({ project, status })
        spent.inc({ project }, usage.costUsd)
      }
      const [newest] = listed.value
      if (!newest) continue
      slots.set({ project }, newest.slots)
      const { total: _, ...counts } = newest.counts
      for (const [status, count] of Object.entries(counts)) tasks.set({ project, status }, count)
    }
    return registry.metrics()
  }
  return { take, text }
}

const MOST_WAITING = 100_000
