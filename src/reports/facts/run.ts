// The figures all report formats share, derived from the view of the run and nothing else.

import type { SessionNote } from '../../engine/query/agent-sessions.ts'
import type { DiffStat } from '../../event.ts'
import { flaggedFacts, undeclaredFacts } from '../../facts/changes-to-look-at.ts'
import { atWorkMs, workedMs } from '../../facts/durations.ts'
import type { RunHistory } from '../../facts/landing-queue-history.ts'
import { modelFacts } from '../../facts/model-choices.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { verdictOf } from '../../facts/run-in-words.ts'
import { lostAttempts, spendingOf } from '../../facts/spending.ts'
import { type Wait, waitsOf, waitText } from '../../facts/waits.ts'
import type { Lesson } from '../../learning-records.ts'
import { isBad } from '../../status.ts'
import { likelyMs, type Plan, type Task } from '../../task.ts'
import { usageOf } from '../../usage.ts'
import type { AttemptView, Budget, Note, RunView, Spending, TaskView } from '../../view.ts'
import { taskGraph } from '../../workloads/analysis/task-graph.ts'
import { lowerBoundMs, type PlanTimes, planTimes } from '../../workloads/analysis/times.ts'
import { queueFacts } from '../sections/landing-queue.ts'
import { estimateFacts } from '../sections/learned.ts'

export type ReportInput = {
  view: RunView
  plan: Plan
  logTails: Record<string, string>
  generatedAt: number
  /** Source of the figures of the landing queue; null: the run has no queue. */
  history?: RunHistory | null
  notes?: readonly SessionNote[]
  /** Sessions whose notes are not among them, because there are too many. */
  notesLeftOut?: number
  learned?: readonly Lesson[]
  /** The user's branch that contains all landed work, if one is known. */
  landedOn?: string | null
  /** Tasks that did not succeed and that another run has landed since, with that run. */
  landedSince?: ReadonlyMap<string, string>
}

/** docs/report.md describes all fields. */
export type Facts = ReturnType<typeof factsOf>

export function factsOf(input: ReportInput) {
  const { view, plan, landedOn = null, landedSince = new Map() } = input
  const endAt = endOf(input)
  const wallMs = atWorkMs(view, endAt)
  const attempts = view.tasks.flatMap((task) => task.history)
  const workMs = workedMs(attempts, endAt)
  const slots = slotFacts(view, attempts, wallMs, endAt)
  const retried = view.tasks.filter((task) => task.history.length > 1)
  const lost = view.tasks.flatMap(lostAttempts)
  const failures = failureFacts(view)
  const spending = spendingOf(view.tasks, plan)
  return {
    verdict: verdictOf(view, landedOn),
    next: nextSteps(view, { landedOn, landedSince }).filter(({ kind }) => kind !== 'report'),
    /** The time of the figures: the end of the run, or now. */
    endAt,
    waits: waitsIn(view, plan, endAt),
    /** Time during which an engine worked on the run. */
    wallMs,
    /** Sum of all attempts, including wasted ones. */
    workMs,
    speedUp: wallMs > 0 && workMs > 0 ? workMs / wallMs : null,
    /** Part of `wallMs` in which no attempt ran, such as waiting to retry. */
    quietMs: quietMs(view, attempts, endAt),
    /** Shortest possible time on these slots, by measured times; `planned`: by the estimates of the plan. */
    measured: boundOf(withMeasuredTimes(plan.tasks, view, endAt), slots.length),
    planned: plan.tasks.some((task) => likelyMs(task) !== null) ? boundOf(plan.tasks, view.slots) : null,
    /** Share of the slots' time in which an attempt ran, 0 to 1. */
    utilisation: wallMs > 0 && slots.length > 0 ? Math.min(1, workMs / (wallMs * slots.length)) : 0,
    slots,
    attempts: attempts.length,
    retries: { count: sum(retried, (task) => task.history.length - 1), tasks: retried.map((task) => task.id) },
    /** Wasted attempts: their work was not used. */
    lost: {
      attempts: lost.length,
      ms: workedMs(lost, endAt),
      costUsd: usageOf(lost).costUsd,
    },
    usage: view.usage,
    spending,
    budgets: budgetFacts(view, plan, spending),
    models: modelFacts(view.tasks),
    estimates: estimateFacts(view, plan),
    learned: input.learned ?? [],
    purpose: purposeFacts(plan),
    /** Sum over the last attempts of landed tasks. */
    landedDiff: landedDiff(view),
    landings: new Set(view.tasks.map((task) => task.landedCommit).filter((commit) => commit !== null)).size,
    failures,
    queue: input.history ? queueFacts(input.history) : null,
    claims: { undeclared: undeclaredFacts(view) },
    flagged: flaggedFacts(view),
    noticed: noticedFacts(view),
    /** Notes of the first sessions, and the number of notes left out. */
    notes: input.notes ?? [],
    notesLeftOut: input.notesLeftOut ?? 0,
  }
}

/** Reason for waiting of each unfinished task that waits, by task. */
function waitsIn(view: RunView, plan: Plan, now: number): Record<string, Wait & { text: string }> {
  const waits = [...waitsOf(view, { now, plan })]
  return Object.fromEntries(waits.map(([task, wait]) => [task, { ...wait, text: waitText(wait, now) }]))
}

function quietMs(view: RunView, attempts: readonly AttemptView[], endAt: number): number {
  let quiet = -(view.idleMs ?? 0)
  let free = view.startedAt
  for (const { startedAt, finishedAt } of attempts.toSorted((a, b) => a.startedAt - b.startedAt)) {
    quiet += Math.max(0, startedAt - free)
    free = Math.max(free, finishedAt ?? endAt)
  }
  if (attempts.length > 0) quiet += Math.max(0, endAt - free)
  return Math.max(0, quiet)
}

/** An interrupted run ended with its last known fact, unless an agent may still run. */
function endOf({ view, generatedAt }: ReportInput): number {
  if (view.finishedAt !== null) return view.finishedAt
  const open = view.tasks.some((task) => task.history.some((attempt) => attempt.finishedAt === null))
  let end = view.engine || open ? Math.max(generatedAt, view.startedAt) : view.startedAt
  for (const task of view.tasks) {
    end = Math.max(end, task.landedAt ?? 0, task.finishedAt ?? 0)
    for (const attempt of task.history) end = Math.max(end, attempt.finishedAt ?? attempt.startedAt)
  }
  return end
}

function slotFacts(view: RunView, attempts: AttemptView[], wallMs: number, endAt: number) {
  // A run that was resumed with fewer slots than before still shows the work of all of them.
  const count = attempts.reduce((most, attempt) => Math.max(most, attempt.slot), view.slots)
  const bySlot = Map.groupBy(attempts, ({ slot }) => slot)
  return Array.from({ length: count }, (_, index) => {
    const own = bySlot.get(index + 1) ?? []
    const busyMs = workedMs(own, endAt)
    const utilisation = wallMs > 0 ? Math.min(1, busyMs / wallMs) : 0
    return { slot: index + 1, attempts: own.length, busyMs, utilisation }
  })
}

function boundOf(tasks: readonly Task[], slots: number): PlanTimes & { lowerBoundMs: number } {
  const times = planTimes(tasks, taskGraph(tasks))
  return { ...times, lowerBoundMs: lowerBoundMs(times, slots) }
}

function withMeasuredTimes(tasks: readonly Task[], view: RunView, endAt: number): Task[] {
  const measured = new Map(view.tasks.map((task) => [task.id, workedMs(task.history, endAt)]))
  return tasks.map((task) => ({ ...task, estimateMs: measured.get(task.id) ?? 0 }))
}

/** Failed tasks, tasks in conflict, and other tasks that blocked some. */
function failureFacts(view: RunView) {
  const byId = new Map(view.tasks.map((task) => [task.id, task]))
  const blocked = view.tasks.filter((task) => task.status === 'blocked')
  const blocks = Map.groupBy(blocked, (task) => rootCause(task, byId))
  return view.tasks
    .filter(
      ({ id, status }) => status === 'failed' || status === 'conflict' || (status !== 'blocked' && blocks.has(id)),
    )
    .map((task) => ({
      task: task.id,
      title: task.title,
      failure: task.failure,
      attempts: task.history.length,
      /** Tasks that could not start because of it, directly or not. */
      blocks: (blocks.get(task.id) ?? []).map(({ id }) => id),
    }))
}

function rootCause(blocked: TaskView, byId: Map<string, TaskView>): string {
  const seen = new Set<string>()
  let task = blocked
  while (task.status === 'blocked' && !seen.has(task.id)) {
    seen.add(task.id)
    const cause = task.failure?.cause ?? task.needs.find((need) => isBad(byId.get(need)?.status ?? 'pending'))
    const next = cause === undefined ? undefined : byId.get(cause)
    if (!next) break
    task = next
  }
  return task.id
}

function landedDiff(view: RunView): DiffStat {
  const landed = view.tasks.filter(({ status }) => status === 'landed')
  const diffs = landed.flatMap(({ history }) => history.at(-1)?.diff ?? [])
  return {
    files: sum(diffs, ({ files }) => files),
    insertions: sum(diffs, ({ insertions }) => insertions),
    deletions: sum(diffs, ({ deletions }) => deletions),
  }
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

/** Budgets of the run, of epics, and of tasks that have spent something, in the order of the plan. */
function budgetFacts({ budgets, tasks }: RunView, plan: Plan, spending: Spending): Budget[] {
  if (!budgets) return []
  const { budgetUsd, spentUsd, unknown } = budgets
  const part = unknown ? { unknown } : {}
  const run: Budget[] = budgetUsd === null ? [] : [{ scope: 'run', name: 'run', budgetUsd, spentUsd, ...part }]
  const spentOn = (epic: string) => spending.epics.find(({ name }) => name === epic)?.usage.costUsd ?? 0
  const epics = plan.epics.flatMap(({ id, budgetUsd }): Budget[] => {
    if (budgetUsd === undefined) return []
    return [{ scope: 'epic', name: id, budgetUsd, spentUsd: spentOn(id) }]
  })
  const budgetOf = new Map(plan.tasks.map((task) => [task.id, task.budgetUsd]))
  const spent = new Map(spending.tasks.map(({ name, usage }) => [name, usage.costUsd]))
  const own = tasks.flatMap((task): Budget[] => {
    const budgetUsd = budgetOf.get(task.id)
    const spentUsd = spent.get(task.id) ?? 0
    return budgetUsd === undefined || spentUsd === 0 ? [] : [{ scope: 'task', name: task.id, budgetUsd, spentUsd }]
  })
  return [...run, ...epics, ...own]
}

/** Decisions in plan order, each with its epics and tasks. */
function purposeFacts({ objective, epics, tasks }: Plan) {
  const byDecision = (all: readonly { id: string; decisions?: string[] | undefined }[]) =>
    Map.groupBy(
      all.flatMap(({ id, decisions = [] }) => decisions.map((decision) => ({ decision, id }))),
      ({ decision }) => decision,
    )
  const [ofEpics, ofTasks] = [byDecision(epics), byDecision(tasks)]
  const idsOf = (all: typeof ofTasks, decision: string) => (all.get(decision) ?? []).map(({ id }) => id)
  const decisions = [...new Set([...ofEpics.keys(), ...ofTasks.keys()])]
  return {
    objective: objective ?? null,
    decisions: decisions.map((decision) => ({
      ...{ decision, epics: idsOf(ofEpics, decision), tasks: idsOf(ofTasks, decision) },
    })),
  }
}

/** Notes in plan order, without `progress` and `done`. */
function noticedFacts({ tasks }: RunView) {
  return tasks.flatMap(({ id, history }) =>
    history.flatMap(({ attempt, notes = [] }) =>
      notes.filter(({ kind }) => LASTING.has(kind)).map((note) => ({ ...note, task: id, attempt })),
    ),
  )
}

const LASTING: ReadonlySet<Note['kind']> = new Set(['issue', 'follow-up', 'blocked'])
