// `espalier plan show --html`: a plan in the dashboard before it runs, as one file: a run of which nothing has started.

import { planSummary } from '../../reports/plan-summary.ts'
import { TASK_STATUSES } from '../../status.ts'
import type { Plan, Task } from '../../task.ts'
import { NO_USAGE } from '../../usage.ts'
import type { TaskView } from '../../view.ts'
import type { PlanOverview } from '../../workloads/analysis/overview.ts'
import type { Answer } from '../resources/routes.ts'
import { recordServer } from './record-server.ts'
import { Recording } from './recording.ts'

/** `plan`: with the estimates of `overview`. `done`: number of finished tasks in its file, which are not in the plan. */
export function htmlPlan(
  plan: Plan,
  overview: PlanOverview,
  { done, template }: { done: number; template: string },
): string {
  const which = { project: 'plan', run: 'plan' }
  const run = neverRun(plan, overview)
  const recording = new Recording()
  recordServer(recording, which.project, '')
  recording.put('runs.list', { project: which.project }, { items: [run], next: null })
  recording.put('runs.get', which, run)
  recording.put('runs.changes', which, { cursor: 0, run, tasks: plan.tasks.map(untouched) })
  recording.put('runs.plan', which, plan)
  recording.put('runs.summary', which, planSummary(plan, overview, done, Date.now()))
  recording.put('runs.next', which, { landedOn: null, nextSteps: [] })
  return recording.page(template, { start: '/plan/plan/summary', kind: 'plan', title: `Plan · ${plan.name}` })
}

function neverRun(plan: Plan, { slots }: PlanOverview): Answer<'runs.get'> {
  const counts = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Answer<'runs.get'>['counts']
  return {
    ...{ run: 'plan', name: plan.name, status: 'running', resumable: false, repo: '', enginePid: 0, branch: '' },
    ...{ base: '', head: '', startedAt: 0, finishedAt: null, slots, schedule: 'eager', usage: NO_USAGE, engine: null },
    counts: { ...counts, pending: plan.tasks.length, total: plan.tasks.length },
    durationMs: 0,
  }
}

function untouched({ id, title, epic, needs }: Task): TaskView {
  const times = {
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    landedAt: null,
    retryAt: null,
    stalledSince: null,
  }
  const rest = { outcome: null, attempts: 0, landedCommit: null, failure: null, conflict: null, history: [] }
  return { id, title, epic, needs, status: 'pending', ...times, ...rest }
}
