// Views of a run: `status --json`, reports, the library, the server. Derived from the journal, never written by hand; fields of
// events are taken from their schemas. Code that has to load quickly, such as that of `espalier status`, imports only types
// from here: the words are in status.ts.
import * as z from 'zod'
import { BUDGET_SCOPES, BUDGET_SHARES, ON_BUDGET } from './budget.ts'
import { failure, ofType, usage } from './event.ts'
import { OUTCOMES, RUN_KINDS, RUN_STATUSES, TASK_STATUSES } from './status.ts'

const time = z.number().describe('ms since the epoch')
const commit = z.string()
const text = z.string()

/** Note that an agent leaves through the task manager while it works. */
export const note = ofType('attempt.noted')
  .omit({ type: true, task: true, attempt: true, request: true })
  .extend({ at: time })

/** `holder`: the task, or person, that has claimed some of it, so it was refused; null: it may. */
const asked = ofType('attempt.asked').omit({ type: true, task: true, attempt: true }).extend({ at: time })

const attemptView = z.object({
  ...ofType('attempt.started').omit({ type: true, task: true, deadline: true }).shape,
  /** Number of the try: one more than the task's tries before it; from 1 again after `retry`. */
  try: z.number().optional(),
  startedAt: time,
  finishedAt: time.nullable(),
  ...ofType('attempt.finished').omit({ type: true, task: true, attempt: true, limitedUntil: true }).shape,
  outcome: z.enum(OUTCOMES).nullable(),
  /** While it runs: what it has reported so far, which is money only, and only where a budget counts it. */
  usage: usage.nullable(),
  /** Once it has ended: whether it is one of the tries that its task has (scheduler/apply/attempt.ts). Cancelled and spared ends are not. */
  countsAsTry: z.boolean().optional(),
  /** True if its worker was lost and its usage was reported afterwards. */
  late: z.boolean().optional(),
  /** Present if its agent left notes or requests. */
  notes: z.array(note).optional(),
  asked: z.array(asked).optional(),
})

export const taskView = z.object({
  id: text,
  title: text,
  epic: text.nullable(),
  needs: z.array(text),
  status: z.enum(TASK_STATUSES),
  outcome: z.enum(OUTCOMES).nullable(),
  /** Number of starts. */
  attempts: z.number(),
  queuedAt: time.optional().describe('when it joined the run, where that was later'),
  priority: z.number().optional().describe('where somebody changed it while it ran'),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  durationMs: z.number().nullable(),
  landedCommit: commit.nullable(),
  landedAt: time.nullable(),
  failure: failure.nullable(),
  /** While it waits for a person: what they resolve. `commit` has `onto` and the work as its parents. */
  conflict: z.object({ commit, onto: commit }).nullable(),
  /** Time of the next try of a failed task. */
  retryAt: time.nullable(),
  /** While it runs and counts as stalled: since when its agent has printed nothing. */
  stalledSince: time.nullable(),
  history: z.array(attemptView),
})

/** `tasks`: how many of the batch are in what is being verified, counted from its first. */
const verification = z.object({ verification: z.number(), commit, tasks: z.number(), since: time })

/** `notLanded`: of it, attempts whose work did not land and never will. What succeeded with nothing to land is not among them. */
const spent = z.object({ usage, notLanded: usage })

/** `name`: of the task, epic, agent or model. */
const spentOn = spent.extend({ name: text })

/** Lists hold only what something was spent on, in the order it first was. */
export const spending = z.object({
  run: spent,
  tasks: z.array(spentOn),
  epics: z.array(spentOn),
  agents: z.array(spentOn),
  models: z.array(spentOn),
})

/** The landing queue of a run that verifies what lands. All that wait in it are counted as `landing`. */
export const queueView = z.object({
  /** Tasks merged one on top of the other, in this order. The others that wait are not merged yet. */
  batch: z.array(text),
  verifying: z.array(verification),
  /** Started so far. */
  verifications: z.number(),
  /** Flakes: failed, then passed on the same commit. */
  flakes: z.number(),
})

/**
 * An agent that starts nothing for a while: its provider is limited, cannot be reached or does not accept its login, or
 * its processes broke again and again.
 */
const pauseView = z.object({
  agent: text,
  until: time,
  why: z.enum(['limited', 'unreachable', 'login', 'broken']),
  /** True if its login was refused again: it stays paused until a person logs in and resumes the run. */
  needsLogin: z.literal(true).optional(),
  /** The time is over: an attempt of this task goes first, and the others follow when its model has answered. */
  probe: text.optional(),
})

/** A claim that a person holds, so that agents keep out of what they are editing. It outlives runs, and ends by itself. */
export const hold = z.object({
  /** Never used again. */
  id: z.number(),
  /** Name of its owner, for others to read. */
  name: text,
  glob: text,
  since: time,
  until: time,
})

/** `name`: of the epic or task; of the run's own it is `run`. */
const budget = z.object({
  scope: z.enum(BUDGET_SCOPES),
  name: text,
  budgetUsd: z.number(),
  spentUsd: z.number(),
  /** Part of the spending has an unknown cost, which is not in `spentUsd`. */
  unknown: z.literal(true).optional(),
})

export const budgetsView = z.object({
  /** Budget of the whole run; null: only epics or tasks have one. */
  budgetUsd: z.number().nullable(),
  onReached: z.enum(ON_BUDGET),
  /** Spending of the whole run, with reports of running attempts. */
  spentUsd: z.number(),
  unknown: budget.shape.unknown,
  /** Budgets used by 80 % or more, in the order in which they got there. */
  reached: z.array(budget.extend({ share: z.literal(BUDGET_SHARES) })),
  /** Budgets that hold back something that is ready. */
  holding: z.array(budget),
})

/** Number of ready tasks for which no present machine has the labels or resources. */
const unplaced = z.object({ labels: z.array(text), uses: z.record(text, z.number()), tasks: z.number() })

const counts = z.object({ ...eachStatus(z.number()), total: z.number() })

/** A run without its tasks. */
const runSummary = z.object({
  run: text,
  kind: z.enum(RUN_KINDS).optional().describe('only where it is not a plan'),
  name: text,
  status: z.enum(RUN_STATUSES),
  /** True where `espalier resume` has something to go on with, once no engine works on it. */
  resumable: z.boolean(),
  repo: text,
  /** The process that wrote this last. */
  enginePid: z.number(),
  branch: text,
  base: commit,
  head: commit,
  startedAt: time,
  finishedAt: time.nullable(),
  /** Time of the last event; missing in runs of earlier versions. */
  lastAt: time.optional(),
  /** Total time without an engine; missing in runs of earlier versions. */
  idleMs: z.number().optional(),
  /** Slots of all present machines. */
  slots: z.number(),
  schedule: z.enum(['eager', 'waves']),
  counts,
  usage,
  /** Present once something was verified. */
  queue: queueView.optional(),
  /** Present while agents are paused. */
  paused: z.array(pauseView).optional(),
  /** Paths that people hold; present while they do. */
  holds: z.array(hold).optional(),
  /** Present if the run, an epic or a task has a budget. */
  budgets: budgetsView.optional(),
  /** Present if nothing runs and tasks wait for a worker with their labels or resources. */
  unplaced: z.array(unplaced).optional(),
})

/** Entry of a run in the store. */
const listedRun = runSummary.extend({
  planFile: text.optional().describe('where the plan was read from; missing where that was not one file or folder'),
})

/**
 * Statuses that a plan file lacks: those that could not be written, which `espalier resume` does once the cause is gone, and
 * those that people changed meanwhile, which stay. `task`: as the file calls it.
 */
const unwrittenStatus = z.object({
  files: z.array(z.object({ file: text, why: text })),
  conflicts: z.array(z.object({ file: text, task: text, message: text })),
})

/** Current state of a run, without its tasks. */
export const runNow = listedRun.extend({
  engine: z.object({ pid: z.number() }).nullable().describe('the engine that works on it now'),
  durationMs: z.number(),
  unwritten: unwrittenStatus.optional().describe('present if the plan file lacks statuses of the run'),
})

/** `spending`: from `readRun`, and only where something was spent. */
const runView = runNow.extend({ tasks: z.array(taskView), spending: spending.optional() })

/** Entry of a list of runs. */
export const runInList = runNow.omit({ durationMs: true, unwritten: true })

function eachStatus<T>(value: T): Record<(typeof TASK_STATUSES)[number], T> {
  return Object.fromEntries(TASK_STATUSES.map((status) => [status, value])) as Record<(typeof TASK_STATUSES)[number], T>
}

export type AttemptView = z.infer<typeof attemptView>
export type TaskView = z.infer<typeof taskView>
export type Spent = z.infer<typeof spent>
export type SpentOn = z.infer<typeof spentOn>
export type Spending = z.infer<typeof spending>
export type QueueView = z.infer<typeof queueView>
export type PauseView = z.infer<typeof pauseView>
export type RunSummary = z.infer<typeof runSummary>
export type ListedRun = z.infer<typeof listedRun>
export type RunInList = z.infer<typeof runInList>
export type RunNow = z.infer<typeof runNow>
export type RunView = z.infer<typeof runView>
export type UnwrittenStatus = z.infer<typeof unwrittenStatus>
export type Counts = z.infer<typeof counts>
export type Hold = z.infer<typeof hold>
export type Budget = z.infer<typeof budget>
export type BudgetsView = z.infer<typeof budgetsView>
export type Note = z.infer<typeof note>
