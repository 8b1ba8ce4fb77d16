// A plan before it runs as one file, in the dashboard: a run of which nothing has started. `espalier plan show --html` shows its
// shape, `espalier plan simulate --html` what each worker would do when.

import { planSummary } from '../../reports/plan-summary.ts'
import { simulationSummary } from '../../reports/simulation.ts'
import type { Summary } from '../../reports/summary.ts'
import { TASK_STATUSES } from '../../status.ts'
import type { Plan } from '../../task.ts'
import { slug } from '../../text/slug.ts'
import { NO_USAGE } from '../../usage.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import type { simulatedSchedule } from '../../workloads/analysis/simulate.ts'
import { untouched } from '../../workspace/read-runs.ts'
import type { Answer } from '../resources/routes.ts'
import { Recording } from './recorded-answers.ts'

/** `plan`: with the estimates of `overview`. `done`: number of finished tasks in its file, which are not in the plan. */
export function htmlPlan(
  plan: Plan,
  overview: PlanOverview,
  { done, template }: { done: number; template: string },
): string {
  const summary = planSummary(plan, overview, done, Date.now())
  const { recording, start } = recordPlan({ kind: 'plan', plan, slots: overview.slots, summary })
  return recording.page(template, { start, kind: 'plan', title: `Plan · ${plan.name}` })
}

/** `schedule`: computed with so many `workers`. */
export function htmlSimulation(
  simulated: Parameters<typeof simulationSummary>[0] & {
    workers: number
    schedule: ReturnType<typeof simulatedSchedule>
  },
  template: string,
): string {
  const { plan, simulation, workers, schedule } = simulated
  const at = Date.now()
  const summary = simulationSummary(simulated, at)
  const { recording, which, start } = recordPlan({ kind: 'simulation', plan, slots: workers, summary })
  recording.put('runs.forecast', which, {
    ...{ at, left: plan.tasks.length, costUsd: simulation.costUsd, costKnown: simulation.costKnown },
    schedule: schedule.map(({ task, worker, fromMs, toMs }) => ({ task, worker, from: at + fromMs, to: at + toMs })),
    endsAt: schedule.reduce((last, { toMs }) => Math.max(last, at + toMs), at),
  })
  return recording.page(template, { start, kind: 'simulation', title: `Simulation · ${plan.name}` })
}

/** The id of its run is its kind. */
type NeverRun = { kind: 'plan' | 'simulation'; plan: Plan; slots: number; summary: Summary }

function recordPlan({ kind, plan, slots, summary }: NeverRun) {
  const which = { project: slug(plan.name), run: kind }
  const recording = new Recording(which.project, '')
  const run = neverRun({ kind, plan, slots, summary })
  recording.put('runs.list', { project: which.project }, { items: [run], next: null })
  recording.put('runs.get', which, run)
  recording.put('runs.changes', which, { cursor: 0, run, tasks: plan.tasks.map(untouched) })
  recording.put('runs.plan', which, plan)
  recording.put('runs.summary', which, summary)
  recording.put('runs.next', which, { landedOn: null, nextSteps: [] })
  return { recording, which, start: `/${which.project}/${which.run}/summary` }
}

function neverRun({ kind, plan, slots, summary: { generatedAt: at } }: NeverRun): Answer<'runs.get'> {
  const counts = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Answer<'runs.get'>['counts']
  return {
    ...{ run: kind, name: plan.name, status: 'running', resumable: false, repo: '', enginePid: 0, branch: '' },
    ...{ base: '', head: '', startedAt: at, lastAt: at, finishedAt: null, slots, schedule: 'eager', usage: NO_USAGE },
    ...{ engine: null, durationMs: 0 },
    counts: { ...counts, pending: plan.tasks.length, total: plan.tasks.length },
  }
}
