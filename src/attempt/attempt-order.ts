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
import type { Idea, Score } from '../search-definition.ts'
import type { Resource, Task } from '../task.ts'
import type { Usage } from '../usage.ts'
import type { Note } from '../view.ts'

export type AttemptOrder = {
  kind: 'attempt'
  run: string
  /** The commit the run began with; the setup of a worktree depends on it. */
  runBase: string
  task: Task
  attempt: number
  /** In the environment of every process of the attempt, the same after a restart. */
  token: string
  /** The machine that executes it (`local`: the engine's own process), and the slot of its worktree pool. */
  worker: string
  slot: number
  resources: (Resource & { name: string; numbers: number[] })[]
  base: string
  /** Null: it belongs to no search, or does an ordinary task for one. */
  search: SearchOrder | null
  /** The conflict, also `base`, that the attempt resolves; null: it does its task from the start. */
  resolves: { commit: string; onto: string } | null
  /** The attempt whose work and conversation it continues. */
  interrupted: {
    attempt: number
    commit: string | null
    /** A conversation with the same agent and model. `used`: its cost so far. Null: none, or one that leads nowhere. */
    conversation: Conversation | null
  } | null
  /** It continues in the worktree of the epic's task before it, and finds its ignored files. */
  continues: boolean
  /** Its worktree is made from scratch: no caches, and setup runs again. */
  fresh: boolean
  /** Its worktree holds no work: no snapshot is taken. */
  discards: boolean
  keepFailed: boolean
  /** One of the task's agents; null: the task is a shell command. */
  agent: string | null
  /** Null: the agent's own choice. */
  model: string | null
  /** Null: the task is a shell command. */
  prompt: string | null
  /** Replaces `prompt` if the conversation of `interrupted` is continued. */
  continuePrompt: string | null
  templates: OwnTemplates
  lessons: string[]
  granted: string[]
  budget: AttemptBudget
  settings: Pick<Settings, (typeof ATTEMPT_SETTINGS)[number]>
  signOff: boolean
  /** Folder from which the user's git takes hooks: changes in it are flagged. */
  hooks: string | null
  /** First attempt after a pause of its agent: reports that the model has answered. */
  isProbe: boolean
  /** Reported spending of an attempt that is taken up again. */
  spentUsd: number
  /** When an interrupted engine asked the attempt that is taken up again to end; null: none did. */
  askedToStopAt: number | null
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
      /** Null: the root. */
      parent: string | null
    }

export type AttemptBudget = {
  /** The smallest budget that applies (task, epic, run); null: no budget. */
  tightestUsd: number | null
  /** Total at which the attempt is ended; null: no limit. */
  allowanceUsd: number | null
}

export const ATTEMPT_SETTINGS = [
  ...(['agents', 'claims', 'command', 'envAllow', 'graceMs', 'keep', 'logs', 'maxConcurrency', 'mcp'] as const),
  ...(['ports', 'prices', 'setup', 'setupInputs', 'stallAfterMs', 'submodules'] as const),
]

export interface AttemptRunner {
  /** `isLast`: the attempt is not started again; on machine trouble it ends and keeps what there is. */
  start(order: AttemptOrder, host: AttemptHost, options?: { isLast?: boolean }): RunningAttempt
  /** Only with workers. */
  verify?(order: VerificationOrder): RunningVerification
  /** Follows workers that come and go, until the signal. Only with workers. */
  follow?(fleet: FleetHost, signal: AbortSignal): Promise<void>
  /**
   * Takes the result of a worker's attempt or verification. The attempt is alive, and may be about to be started here.
   * `isNew`: its commit arrived whole, and was not here before.
   */
  deliver?(fact: AttemptFinished | Verified, isNew?: boolean): void
}

export type FleetHost = {
  run: string
  /** Workers that the run knows, with their offers; and the tokens of their attempts and verifications. */
  known(): ReadonlyMap<string, WorkerOffer>
  alive(): ReadonlySet<string>
  tell(fact: Extract<Fact, { type: 'worker.joined' | 'worker.lost' }>): void
}

export interface AttemptHost {
  report(fact: AttemptReport): void
  progress(message: string): void
  /** The agent's notes in the task manager so far; asked when a process of the agent has ended. */
  notes(): Promise<Note[]>
}

export type AttemptReport = Extract<Fact, { type: 'attempt.spent' | 'attempt.stalled' | 'attempt.stirred' }>
export type AttemptFinished = Extract<Fact, { type: 'attempt.finished' }>

export interface RunningAttempt {
  /** Rejects on machine trouble: a full disk, a folder that cannot be written. */
  readonly result: Promise<AttemptFinished>
  /**
   * Ends the attempt. `decidedAt`: when this was decided, perhaps by an earlier engine. False: the attempt continues, because
   * it was to end for silence or for money, and its agent had ended before that. Its checks cost no money.
   */
  stop(why: Failure, decidedAt: number): Promise<boolean>
  allow?(globs: readonly string[]): Promise<void>
  setBudget?(budget: AttemptBudget): void
  /** Abandons the attempt because its worker was lost. A worker that reconnects stops the attempt itself. */
  giveUp?(): void
  /** Leaves everything for the next engine to take up. `result` then rejects. */
  letGo(): void
}

// A verification of the landing queue as plain data: the `landing.verify` commands on one commit, here or on a worker.

export type VerificationOrder = {
  kind: 'verification'
  run: string
  runBase: string
  number: number
  commit: string
  /** `commit` is the branch itself: this shows whether anything can pass at all. */
  isOfBranch: boolean
  worker: string
  slot: number
  token: string
  settings: Pick<Settings, (typeof VERIFICATION_SETTINGS)[number]>
  /** A verification has failed on this commit: setup runs again, in case that was why. */
  isRepeated: boolean
}

export const VERIFICATION_SETTINGS = [
  ...(['envAllow', 'graceMs', 'keep', 'landing', 'logs', 'maxConcurrency', 'ports', 'setup', 'setupInputs'] as const),
]

export type Verified = Extract<Fact, { type: 'landing.verified' }>

export interface RunningVerification {
  /** Rejects if the verification could not be carried out at all. */
  readonly result: Promise<Verified>
  halt(): void
  letGo(): void
}
