// Runs: looking at them is reading views, changing them is a request in the store, starting them is an engine of its own.

import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { landRun } from '../../engine/deliver/land-run.ts'
import { findRemote, pushBranch } from '../../engine/deliver/push-or-pull-request.ts'
import { readDoneSince } from '../../engine/history/landed-tasks.ts'
import { trace } from '../../engine/query/trace.ts'
import { requestCancel } from '../../engine/requests/cancel.ts'
import { requestSlots } from '../../engine/requests/change-slot-count.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { spendingOf } from '../../facts/spending.ts'
import { readSummaryOf } from '../../reports/report.ts'
import { listRuns, readChanges, readEvents, readPlanOf, readRun } from '../../workspace/read-runs.ts'
import { planArgument } from '../engines/plan-argument.ts'
import { flag, settingFlags } from '../engines/run-arguments.ts'
import { startEngine } from '../engines/start.ts'
import type { RouteName } from '../protocol/paths.ts'
import { type Call, type Handlers, withProject, withRun } from './call.ts'
import { type historyHandlers, withHistory } from './history.ts'
import { pageOf } from './page.ts'
import { give, giveResult, refusal, refusedBy } from './reply.ts'

type Names = Exclude<Extract<RouteName, `runs.${string}`>, keyof typeof historyHandlers | 'runs.report'>

export const runHandlers: Handlers<Names> = {
  'runs.list': (call) =>
    withProject(call, async ({ workspace }) => {
      const runs = await listRuns(workspace)
      if (!runs.ok) return refusedBy(runs.problems)
      const { status, kind } = call.input
      const wanted = runs.value.filter(
        (run) =>
          (status === undefined || run.status === status) && (kind === undefined || (run.kind ?? 'plan') === kind),
      )
      return give(pageOf(wanted, ({ run }) => run, call.input))
    }),

  'runs.start': (call) =>
    withProject(call, async (project) => {
      const { plan, format, part, base, dirty, schedule, new: isNew, ...settings } = call.input
      const file = await planArgument(plan, project.repo, call.context.plansFolder)
      if (!file.ok) return refusedBy(file.problems)
      const source = [...flag('--format', format), ...flag('--part', part), ...flag('--base', base)]
      const named = file.value === null ? [] : ['--', file.value]
      const how = [...flag('--schedule', schedule), ...(dirty ? ['--dirty'] : []), ...(isNew ? ['--new'] : [])]
      const args = ['run', ...settingFlags(settings), ...how, ...source, ...named]
      return giveResult(await startEngine(project.workspace, args, call.context.environment))
    }),

  'runs.get': (call) => withRun(call, async (_, run) => give(run)),

  'runs.next': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const found = await readRun(workspace, { run })
      if (!found.ok) return refusedBy(found.problems)
      if (!found.value) return refusal('not-found', `there is no run ${run}`)
      const view = found.value
      const landedOn = view.engine ? null : await readLandedOn(workspace, view)
      const landedSince = view.engine ? new Map<string, string>() : await readDoneSince(workspace, view)
      return give({ landedOn, nextSteps: nextSteps(view, { landedOn, landedSince }) })
    }),

  'runs.change': (call) =>
    withRun(call, async ({ workspace }, { run }) =>
      giveResult(await requestSlots(workspace, { run, slots: call.input.maxConcurrency })),
    ),

  'runs.resume': (call) => continueRun(call, (run) => ['resume', '--', run]),

  'runs.retry': (call) => continueRun(call, (run) => ['retry', `--run=${run}`, '--', ...(call.input.tasks ?? [])]),

  'runs.cancel': (call) =>
    withRun(call, async ({ workspace }, { run }) => giveResult(await requestCancel(workspace, { run }))),

  'runs.changes': (call) =>
    withRun(call, async ({ workspace }, run) => {
      const changes = await readChanges(workspace, { run: run.run, after: call.input.after ?? null })
      return changes.ok ? give({ ...changes.value, run }) : refusedBy(changes.problems)
    }),

  'runs.plan': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const plan = await readPlanOf(workspace, { run })
      if (!plan.ok) return refusedBy(plan.problems)
      return plan.value ? give(plan.value) : refusal('not-found', `the plan of run ${run} is gone`)
    }),

  'runs.events': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const { after, limit } = call.input
      const events = await readEvents(workspace, { run, after, atMost: limit + 1 })
      if (!events.ok) return refusedBy(events.problems)
      const items = events.value.slice(0, limit)
      return give({ items, next: events.value.length > limit ? (items.at(-1)?.seq ?? null) : null })
    }),

  'runs.spending': (call) =>
    withHistory(call, async ({ history }, { run }, { workspace }) => {
      const [found, plan] = [await readRun(workspace, { run }), await readPlanOf(workspace, { run })]
      if (!found.ok) return refusedBy(found.problems)
      const spending = spendingOf(found.value?.tasks ?? [], plan.ok ? plan.value : null)
      return give({ ...spending, budgets: found.value?.budgets ?? null, overTime: thinned(history.spent) })
    }),

  'runs.summary': (call) =>
    withRun(call, async ({ workspace }, { run }) => giveResult(await readSummaryOf(workspace, { run }))),

  'runs.trace': (call) =>
    withRun(call, async ({ workspace }, { run }) => giveResult(await trace(workspace, { run, of: call.input.of }))),

  'runs.land': (call) =>
    withRun(call, async ({ workspace }, { run }) => {
      const { into, push } = call.input
      if (push !== undefined) {
        const remote = await findRemote(workspace, { remote: push })
        if (!remote.ok) return refusedBy(remote.problems)
      }
      const landed = await landRun(workspace, { run, into })
      if (!landed.ok) return refusedBy(landed.problems)
      if (push === undefined) return give({ ...landed.value, pushed: null })
      const pushed = await pushBranch(workspace, { remote: push, branch: landed.value.into })
      return pushed.ok ? give({ ...landed.value, pushed: pushed.value }) : refusedBy(pushed.problems)
    }),
}

/** As many as a curve on a screen shows, the last in any case. */
function thinned<T>(points: readonly T[]): T[] {
  const step = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, n) => n % step === 0 || n === points.length - 1)
}

const MOST_POINTS = 1_000

function continueRun(call: Call<'runs.resume' | 'runs.retry'>, command: (run: string) => string[]) {
  return withRun(call, async (project, { run }) => {
    const { replan, ...settings } = call.input
    const file = await planArgument(replan === true ? undefined : replan, project.repo, call.context.plansFolder)
    if (!file.ok) return refusedBy(file.problems)
    const [name = '', ...rest] = command(run)
    const again = replan === undefined ? [] : file.value === null ? ['--replan'] : [`--replan=${file.value}`]
    const args = [name, ...settingFlags(settings), ...again, ...rest]
    return giveResult(await startEngine(project.workspace, args, call.context.environment))
  })
}
