// Forecast, landing queue, landings and spending of a run: computed from its journal, which the server follows.
import * as z from 'zod'
import { failure } from '../../event.ts'
import { spendingOf } from '../../facts/spending.ts'
import { ok } from '../../problem.ts'
import { type QueueFacts, queueFacts } from '../../reports/sections/landing-queue.ts'
import { withoutGone } from '../../scheduler/apply/replan.ts'
import type { RunState } from '../../scheduler/state.ts'
import { runSummary, taskView } from '../../scheduler/view.ts'
import { likelyMs, likelyUsd, type Plan, type Task } from '../../task.ts'
import { budgetsView, queueView, spending, type TaskView } from '../../view.ts'
import { simulatedSchedule } from '../../workloads/analysis/simulate.ts'
import { readPlanOf, readRun } from '../../workspace/read-runs.ts'
import type { FollowedRun } from '../history/followed-run.ts'
import { type Reply, refusal } from './refusal.ts'
import { page, pageInput, type RunCall, runRoute, shape } from './route.ts'
import { whole } from './shared-inputs.ts'

const time = z.number().describe('ms since the epoch')
const ids = z.array(z.string())

const landing = z.object({ at: time, commit: z.string(), onto: z.string(), tasks: ids })

export const runHistoryRoutes = {
  'runs.forecast': runRoute({
    scope: 'read',
    summary:
      'What is to come by the estimates: when each open task will probably start and end, and what the rest will cost',
    answer: z.object({
      at: time,
      schedule: z.array(z.object({ task: z.string(), worker: z.number(), from: time, to: time })),
      endsAt: time.nullable().describe('null: too many are open to say'),
      costUsd: z.number().nullable(),
      costKnown: z.number().describe('of how many open tasks a cost is known'),
      left: z.number(),
    }),
    handle: (call) => withHistory(call, async ({ state }) => ok(forecast(state, Date.now()))),
  }),

  'runs.queue': runRoute({
    scope: 'read',
    summary:
      'The landing queue: what is merged and verified now, batches with their verdicts, who made one fail, conflicts',
    input: { batches: whole(1, 1_000).default(50).describe('so many, the newest') },
    answer: z.object({
      now: queueView.nullable().describe('null: nothing is verified in this run'),
      waiting: ids.describe('tasks whose work waits to land'),
      facts: shape<QueueFacts | null>('batches, culprits, verifications, cached, halted, flakes, verifyMs'),
      conflicts: z.array(z.object({ task: z.string(), commit: z.string(), onto: z.string(), since: time, paths: ids })),
      refusals: z.array(z.object({ at: time, tasks: ids, failure, retry: z.boolean(), waitsForPerson: z.boolean() })),
    }),
    handle: (call) =>
      withHistory(call, async ({ history, state }) => {
        const { batches } = call.input
        const facts = queueFacts(history)
        return ok({
          now: runSummary(state, NOBODY).queue ?? null,
          waiting: tasksWith(state, 'landing'),
          facts: facts && {
            ...facts,
            batches: facts.batches.slice(-batches),
            culprits: facts.culprits.slice(-batches),
          },
          conflicts: conflictsOf(state),
          refusals: history.refusals.slice(-batches),
        })
      }),
  }),

  'runs.landings': runRoute({
    scope: 'read',
    summary: 'Every move of the branch, the newest first',
    input: pageInput(1_000),
    answer: page(landing),
    handle: (call) =>
      withHistory(call, async ({ history: { landings } }) => {
        const { after, limit } = call.input
        // Positions count from the first landing, so new ones shift nothing.
        const end = after === undefined ? landings.length : Number.parseInt(after, 10) || 0
        const from = Math.max(0, end - limit)
        return ok({ items: landings.slice(from, end).reverse(), next: from > 0 ? String(from) : null })
      }),
  }),

  'runs.spending': runRoute({
    scope: 'read',
    summary: 'Tokens and money by task, epic, agent and model, and over time; what did not land apart; the budget',
    answer: spending.extend({
      budgets: budgetsView.nullable().describe('null: nobody set one'),
      overTime: z
        .array(z.object({ at: z.number(), costUsd: z.number() }))
        .describe('what had been spent in all by then, in US dollars'),
    }),
    handle: (call) =>
      withHistory(call, async ({ history }) => {
        const { workspace, run } = call
        const [view, plan] = [await readRun(workspace, run), await readPlanOf(workspace, run)]
        if (!view.ok) return view
        const spent = spendingOf(view.value?.tasks ?? [], plan.ok ? plan.value : null)
        return ok({ ...spent, budgets: view.value?.budgets ?? null, overTime: thinned(history.spent) })
      }),
  }),
}

const NOBODY = { run: '', name: '', repo: '', enginePid: 0 }

async function withHistory<T>(
  { project, run, context }: RunCall,
  use: (of: { history: FollowedRun; state: RunState }) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const history = context.histories.of(project, run)
  const state = await history.state()
  if (!state.ok) return state
  return state.value ? use({ history, state: state.value }) : refusal('not-found', `run ${run.run} has not begun`)
}

function tasksWith({ graph, tasks }: RunState, status: TaskView['status']): string[] {
  return graph.tasks.flatMap(({ id }, index) => (tasks[index]?.state.status === status ? [id] : []))
}

function conflictsOf(state: RunState) {
  return state.graph.tasks.flatMap(({ id }, index) => {
    const now = state.tasks[index]?.state
    const { conflict } = taskView(state, index)
    if (now?.status !== 'conflict' || !conflict) return []
    return [{ task: id, ...conflict, since: now.since, paths: now.failure.paths ?? [] }]
  })
}

/** Reduces the points to as many as a screen can show, always with the last one. */
function thinned<T>(points: readonly T[]): T[] {
  const step = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, n) => n % step === 0 || n === points.length - 1)
}

const MOST_POINTS = 1_000

/**
 * Simulates the rest of a run: when each open task will probably start and end, and its cost. A running task still needs the part
 * of its estimate that has not passed yet.
 */
function forecast(state: RunState, now: number) {
  const { graph, tasks, limits } = state
  const open = graph.tasks.flatMap((task, index) => {
    const status = tasks[index]?.state.status ?? 'pending'
    return OPEN.has(status) ? [{ task, index, isRunning: status === 'running' }] : []
  })
  const rest = open.slice(0, MOST_TASKS).map(({ task, index, isRunning }): Task => {
    const startedAt = tasks[index]?.history.at(-1)?.startedAt ?? now
    const left = isRunning ? Math.max(0, (likelyMs(task) ?? graph.unknownMs) - (now - startedAt)) : null
    const { from: _, base: __, uses: ___, ...plain } = task
    return {
      ...plain,
      // A running task has its slot and its claims already.
      ...(left === null ? {} : { estimateMs: left, priority: Number.MAX_SAFE_INTEGER }),
    }
  })
  const isAll = rest.length === open.length
  const plan: Plan = { name: '', base: null, epics: [...graph.epics.values()], tasks: withoutGone(rest) }
  const schedule = simulatedSchedule(plan, { ...limits, budgetUsd: null }, limits.slots)
  const costs = open.flatMap(({ task, isRunning }) => (isRunning ? [] : (likelyUsd(task) ?? [])))
  return {
    at: now,
    schedule: schedule.map(({ task, worker, fromMs, toMs }) => ({ task, worker, from: now + fromMs, to: now + toMs })),
    endsAt: isAll ? schedule.reduce((last, { toMs }) => Math.max(last, now + toMs), now) : null,
    costUsd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
    costKnown: costs.length,
    left: open.length,
  }
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'ready', 'running'])

/** Most tasks of a simulation, which takes a few tenths of a second; further tasks are left out. */
const MOST_TASKS = 5_000
