// What the outside sees of a run: `status --json`, reports, the library. Derived from the journal, never written by hand.
import type { BudgetsView } from './budget.ts'
import type { Hold } from './claim.ts'
import type { Failure } from './failure.ts'
import type { ModelChoice } from './model-choice.ts'
import type { Session } from './session.ts'
import type { UnwrittenStatus } from './unwritten-status.ts'
import type { Spending, Usage } from './usage.ts'

export const TASK_STATUSES = [
  'pending', // waits for its needs, its wave or the time of its next try
  'ready', // could start: waits for a slot or for paths that another task has claimed
  'running',
  'landing', // its work is done and waits to land
  'conflict', // its work is done, does not merge with what has landed, and waits for a person
  'landed', // its work is on the run's branch
  'passed', // it succeeded and does not land: no change, or `land: false`
  'failed',
  'blocked', // something it needs did not succeed
  'cancelled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const RUN_STATUSES = [
  'running',
  'completed',
  'failed',
  'cancelled',
  'waiting', // all that is left waits for a person: to resolve a conflict, to give a larger budget, or to start a worker
] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** What a run executes: a plan whose work lands, a suite whose entries are judged, or a search. */
export const RUN_KINDS = ['plan', 'suite', 'search'] as const
export type RunKind = (typeof RUN_KINDS)[number]

/** How an attempt ended. */
export const OUTCOMES = [
  'changed',
  'no-change',
  'failed',
  'refused',
  'rate-limited',
  'budget',
  'timeout',
  'cancelled',
  'crashed',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Of each resource by its name: the numbers that somebody has. */
export type TakenResources = Record<string, number[]>

export type Counts = Record<TaskStatus, number> & { total: number }

export type DiffStat = { files: number; insertions: number; deletions: number }

/** `paths` covers all of them: where there are too many to list, a folder (`src/`) stands for those in it. */
export type PathList = { paths: string[]; count: number }

/** Another task that ran at the same time and had changed the same paths. */

/** The agent that a task would rather have, while it is paused. */
export type InsteadOf = { agent: string; until: number }

/** What an agent tells of its task while it works on it, through the task manager. */
export const NOTE_KINDS = ['progress', 'done', 'blocked', 'issue', 'follow-up', 'lesson'] as const
export type NoteKind = (typeof NOTE_KINDS)[number]
export type Note = { kind: NoteKind; text: string; details?: string | undefined; at: number }

/**
 * Globs that an agent asked to write besides its task's claims. `holder`: the task, or person, that has claimed some of it,
 * so it was refused; null: it may. `request`: what it asked with, see store/.
 */
export type AskedClaims = { request: number | null; paths: string[]; holder: string | null; at: number }

/** A command that checked the work of an attempt. */
export type Check = { command: string; durationMs: number; passed: boolean }

/** What an attempt came to besides its work. `artifacts`: a ref that holds them, or their paths. */
export type AttemptResult = {
  counts?: Record<string, number> | undefined
  artifacts?: string | string[] | undefined
  scores?: Record<string, number> | undefined
  /** What the scores are the medians of. */
  samples?: Record<string, number[]> | undefined
  /** What was measured. */
  tree?: string | undefined
  /** Ideas that were proposed. */
  ideas?: { path: string; text: string }[] | undefined
  /** The process that the attempt ran under. */
  pid?: number | undefined
}

/** What a check said that failed first, and what was changed until it passed. */
export type Fix = { message: string; paths: string[] }

/** The worker that is the engine's own process. */
export const LOCAL = 'local'

export type AttemptView = {
  attempt: number
  /** Which of the tries that its task has, from 1: those before it that count, and one. */
  try?: number | undefined
  /** Which of the task's agents does it; not for a shell command. */
  agent?: string | undefined
  /** It is a fallback: when it started, this agent of its task was paused. */
  insteadOf?: InsteadOf | undefined
  /** Where `model: auto` chose its model. */
  choice?: ModelChoice | undefined
  /** It continues the work of this attempt, which was interrupted. */
  continues?: number | undefined
  /** What executes it; `local`: the engine's own process. */
  worker: string
  slot: number
  /** The numbers of the resources it has. */
  resources?: TakenResources | undefined
  base: string
  startedAt: number
  finishedAt: number | null
  outcome: Outcome | null
  failure: Failure | null
  /** The commit that holds its work, kept under a ref whether it landed or not. */
  commit: string | null
  diff: DiffStat | null
  /** While it runs: what it has reported so far, which is money only, and only where a budget counts it. */
  usage: Usage | null
  /** Once it has ended: whether it is one of the tries that its task has. Ends that are nobody's fault are not. */
  counts?: boolean | undefined
  /** Its worker was lost, and what it had used was told afterwards. */
  late?: boolean | undefined
  /** What the agent said it did, in a line. */
  summary: string | null
  /** Its conversation, where the agent has one; attempts of old journals do not say. */
  session?: Session | null | undefined
  /** How many processes its agent had, where that is more than one: it was asked to go on. */
  iterations?: number | undefined
  /** What it changed, and what of that its task's claims do not cover. Not in journals from before it was looked at. */
  touched?: PathList | undefined
  undeclared?: PathList | undefined
  /** Of what it changed: what other programs run or obey, such as hooks and CI files. */
  flagged?: PathList | undefined
  result?: AttemptResult | undefined
  /** The commands that checked its work; those that failed first and were put right; the lessons its prompt had. */
  checks?: Check[] | undefined
  fixes?: Fix[] | undefined
  lessons?: string[] | undefined
  /** Only where its agent told or asked something. */
  notes?: Note[] | undefined
  asked?: AskedClaims[] | undefined
}

export type TaskView = {
  id: string
  title: string
  epic: string | null
  needs: string[]
  status: TaskStatus
  outcome: Outcome | null
  /** How often it was started. */
  attempts: number
  /** Only of a task that joined the run while it went on. */
  queuedAt?: number | undefined
  /** Only where somebody changed it while it ran. */
  priority?: number | undefined
  /** Times in ms since the epoch; null while it has not happened. */
  startedAt: number | null
  finishedAt: number | null
  durationMs: number | null
  landedCommit: string | null
  landedAt: number | null
  failure: Failure | null
  /** While it waits for a person: what they resolve. `commit` has `onto` and the work as its parents. */
  conflict: { commit: string; onto: string } | null
  /** When a failed task is tried again. */
  retryAt: number | null
  /** While it runs and counts as stalled: since when its agent has printed nothing. */
  stalledSince: number | null
  history: AttemptView[]
}

/** The landing queue of a run that verifies what lands. All that wait in it are counted as `landing`. */
export type QueueView = {
  /** Tasks merged one on top of the other, in this order. The others that wait are not merged yet. */
  batch: string[]
  verifying: VerificationView[]
  /** Started so far. */
  verifications: number
  /** Of these: failed, and then the same commit passed. */
  flakes: number
}

/** `tasks`: how many of the batch are in what is being verified, counted from its first. */
export type VerificationView = { verification: number; commit: string; tasks: number; since: number }

/**
 * An agent that starts nothing for a while: its provider is limited, cannot be reached or does not accept its login, or
 * its processes broke again and again.
 */
export type PauseView = {
  agent: string
  until: number
  why: 'limited' | 'unreachable' | 'login' | 'broken'
  /** Its login was refused again: it stays paused until somebody has logged in and resumes the run. */
  needsLogin?: true | undefined
  /** The time is over: an attempt of this task goes first, and the others follow when its model has answered. */
  probe?: string | undefined
}

/** So many tasks could start, and no machine that is there has what they ask for. */
export type UnplacedView = { labels: string[]; uses: Record<string, number>; tasks: number }

/** A run without its tasks. */
export type RunSummary = {
  run: string
  /** Only where it is not a plan. */
  kind?: RunKind | undefined
  name: string
  status: RunStatus
  /** True where `espalier resume` has something to go on with, once no engine works on it. */
  resumable: boolean
  repo: string
  /** The process that wrote this last. */
  enginePid: number
  branch: string
  base: string
  head: string
  startedAt: number
  finishedAt: number | null
  /** When something last happened in it; not in runs of earlier versions. */
  lastAt?: number | undefined
  /** How long it lay there before engines went on with it, added up; not in runs of earlier versions. */
  idleMs?: number | undefined
  /** Of all machines that are there. */
  slots: number
  schedule: 'eager' | 'waves'
  counts: Counts
  usage: Usage
  /** Only where something was verified; not in runs of earlier versions. */
  queue?: QueueView | undefined
  /** Only while some are; not in runs of earlier versions. */
  paused?: PauseView[] | undefined
  /** What people hold; only while they do, and not in runs of earlier versions. */
  holds?: Hold[] | undefined
  /** Only where the run, an epic or a task has a budget; not in runs of earlier versions. */
  budgets?: BudgetsView | undefined
  /** Only where nothing runs and some wait for a worker that has what they ask for. */
  unplaced?: UnplacedView[] | undefined
}

/** As it stands in a list of runs. */
export type ListedRun = RunSummary & Pick<RunView, 'planFile'>

export type RunView = RunSummary & {
  /** The engine that works on it now, if one does. */
  engine: { pid: number } | null
  durationMs: number
  tasks: TaskView[]
  /** Where the plan was read from; missing where that was not one file or folder. */
  planFile?: string | undefined
  /** From `readRun`, and only where something was spent. */
  spending?: Spending | undefined
  /** Only where the plan file does not say all that it should of the run. */
  unwritten?: UnwrittenStatus | undefined
}
