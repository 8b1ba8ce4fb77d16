// The seam between whoever decides attempts and whoever executes them: this process, or a worker on another machine.
//
//   the engine decides                                        a machine executes
//   AttemptOrder: all that is known when it is decided  ───▶  AttemptRunner.start
//   RunningAttempt: stop, allow, setBudget, letGo       ───▶  what changes while the attempt works
//   AttemptHost: report, progress, notes                ◀───  what the engine hears of it
//   RunningAttempt.result                               ◀───  the fact the attempt ends with
//
// Properties
// - An order is JSON: whoever gets a copy of it executes the same attempt. Nobody changes it.
// - Keys, environment, worktrees and files belong to the machine that executes (`Machine` in attempt-context.ts).
// - The executing side knows no journal and no scheduler. A machine that starts the same order again, after a crash,
//   takes up what the first start has left.
import type { Settings } from '../config.ts'
import type { Fact, Failure } from '../event.ts'
import type { OwnTemplates } from '../prompts/templates.ts'
import type { WorkerOffer } from '../scheduler/dispatch/workers.ts'
import type { Idea, Score } from '../search.ts'
import type { Resource, Task } from '../task.ts'
import type { Usage } from '../usage.ts'
import type { Note } from '../view.ts'

export type OrderedResource = Resource & { name: string; numbers: number[] }

export type AttemptOrder = {
  kind: 'attempt'
  run: string
  /** The commit the run began with; the setup of a worktree depends on it. */
  runBase: string
  task: Task
  attempt: number
  /** Carried by every process of the attempt, and the same after a restart. */
  token: string
  /** Who executes it (`local`: the engine's own process), and the place of its worktree pool that the attempt has. */
  worker: string
  slot: number
  /** The resources it has, each with its numbers and the plan's words for them. */
  resources: OrderedResource[]
  /** The commit the attempt begins with. */
  base: string
  /** What it needs to know of the search it belongs to; null: it belongs to none, or does an ordinary task for it. */
  search: SearchOrder | null
  /** `base` is this conflict, which the attempt is to resolve; null: it does its task from the start. */
  resolves: { commit: string; onto: string } | null
  /** The attempt whose work and conversation it continues; null: it begins anew. */
  interrupted: InterruptedAttempt | null
  /** It continues in the worktree of the task before it, whose ignored files it finds there. */
  continues: boolean
  /** Nothing of earlier attempts is left in its worktree: no caches, and its setup runs again. */
  fresh: boolean
  /** What it leaves in its worktree is nobody's work: no snapshot is taken. */
  discards: boolean
  /** If it fails, its worktree is kept as it is. */
  keepFailed: boolean
  /** Which of the task's agents; null: the task is a shell command. */
  agent: string | null
  /** Null: the agent's own choice. */
  model: string | null
  /** What the agent is told first; null: the task is a shell command. */
  prompt: string | null
  /** What it is told instead where it continues the conversation of `interrupted`. */
  continuePrompt: string | null
  /** The project's own templates, for what the agent is told when its checks failed. */
  templates: OwnTemplates
  /** The names of the lessons in the prompt. */
  lessons: string[]
  /** Globs that the task was granted besides its claims. */
  granted: string[]
  budget: AttemptBudget
  settings: AttemptSettings
  /** Whether its commits are signed off. */
  signOff: boolean
  /** The folder from which the user's git takes hooks: changes in there are flagged. */
  hooks: string | null
  /** It goes first after a pause of its agent: that its model has answered is reported. */
  isProbe: boolean
  /** Of an attempt that is taken up again: what it has reported to have spent. */
  spentUsd: number
  /** Of an attempt that is taken up again: when an engine that was interrupted asked it to end. */
  askedToStopAt: number | null
}

export type InterruptedAttempt = {
  attempt: number
  /** Its work; null: it had changed nothing. */
  commit: string | null
  /** Of the same agent and model. `used`: what it has cost so far. Null: there is none, or it leads nowhere. */
  conversation: Conversation | null
}
export type Conversation = { id: string; used: Usage }

export type SearchOrder =
  | { role: 'step'; eval: string; idea: Idea }
  | { role: 'propose'; node: string; count: number }
  | {
      role: 'judge'
      eval: string
      objective: string
      gates: string[]
      score: Score
      repeats: number
      /** Globs of paths that are restored from the root before anything is judged. */
      protected: string[]
      /** The commit of the node that the candidate comes from; null: it is the root. */
      parent: string | null
    }

/** The budgets that an attempt counts for. */
export type AttemptBudget = {
  /** The smallest of them; null: there is none. */
  tightestUsd: number | null
  /** What the attempt may spend in all before it is ended; null: nothing ends it. */
  allowanceUsd: number | null
}

export const ATTEMPT_SETTINGS = [
  ...(['agents', 'claims', 'command', 'envAllow', 'graceMs', 'keep', 'logs', 'maxConcurrency', 'mcp'] as const),
  ...(['ports', 'prices', 'setup', 'setupInputs', 'stallAfterMs'] as const),
]
/** The settings that an attempt goes by. */
export type AttemptSettings = Pick<Settings, (typeof ATTEMPT_SETTINGS)[number]>

export interface AttemptRunner {
  /** `isLast`: nobody starts it again; where the machine is in the way, it ends and keeps what there is. */
  start(order: AttemptOrder, host: AttemptHost, options?: { isLast?: boolean }): RunningAttempt
  /** The same for a verification of the landing queue that a worker is to do. Only where there are some. */
  verify?(order: VerificationOrder): RunningVerification
  /** Workers that come and go, until the signal. Only where there are some. */
  follow?(fleet: FleetHost, signal: AbortSignal): Promise<void>
  /**
   * What a worker says its attempt or verification came to. The attempt is alive, and may be about to be started here.
   * `isNew`: its commit arrived whole, and nobody had it before.
   */
  deliver?(fact: AttemptFinished | Verified, isNew?: boolean): void
}

/** What whoever follows workers needs of the run. */
export type FleetHost = {
  run: string
  /** Those that the run knows to be there, with what they offer; and the tokens of what workers have to do. */
  known(): ReadonlyMap<string, WorkerOffer>
  alive(): ReadonlySet<string>
  tell(fact: Extract<Fact, { type: 'worker.joined' | 'worker.lost' }>): void
}

/** All that an attempt needs of whoever started it. */
export interface AttemptHost {
  report(fact: AttemptReport): void
  /** What its agent says while it works. */
  progress(message: string): void
  /** What its agent has told the task manager by now; asked when a process of the agent has ended. */
  notes(): Promise<Note[]>
}

export type AttemptReport = Extract<Fact, { type: 'attempt.spent' | 'attempt.stalled' | 'attempt.stirred' }>
export type AttemptFinished = Extract<Fact, { type: 'attempt.finished' }>

export interface RunningAttempt {
  /** Rejects with what kept the machine from executing it: a full disk, a folder that cannot be written. */
  readonly result: Promise<AttemptFinished>
  /**
   * Ends it. `decidedAt`: an engine before this one may have decided it. False: it continues, because it was to end for
   * its silence or for money, and its agent had ended by itself before that: its checks cost nothing.
   */
  stop(why: Failure, decidedAt: number): Promise<boolean>
  /** Its agent may write these globs too. */
  allow(globs: readonly string[]): Promise<void>
  setBudget(budget: AttemptBudget): void
  /** Nobody waits for it any more: its worker was lost. Where that comes back, it ends it. */
  giveUp?(): void
  /** Leaves everything as it is for the next engine to take up. The result is then never known here: it rejects. */
  letGo(): void
}

// A verification of the landing queue as plain data: the `landing.verify` commands on one commit, for this process or for a worker.

export type VerificationOrder = {
  kind: 'verification'
  run: string
  /** The commit the run began with; the setup of a worktree depends on it. */
  runBase: string
  number: number
  /** The one that would land. */
  commit: string
  /** It is the branch itself: whether anything can pass at all. */
  isOfBranch: boolean
  worker: string
  slot: number
  /** Carried by every process of the verification. */
  token: string
  settings: VerificationSettings
  /** A verification has failed on this commit: setup is done anew, in case that was why. */
  isRepeated: boolean
}

export const VERIFICATION_SETTINGS = [
  ...(['envAllow', 'graceMs', 'keep', 'landing', 'logs', 'maxConcurrency', 'ports', 'setup', 'setupInputs'] as const),
]
export type VerificationSettings = Pick<Settings, (typeof VERIFICATION_SETTINGS)[number]>

export type Verified = Extract<Fact, { type: 'landing.verified' }>

export interface RunningVerification {
  /** Rejects with what kept the verification from being carried out at all. */
  readonly result: Promise<Verified>
  /** Ends it: then there is no verdict. */
  halt(): void
  letGo(): void
}
