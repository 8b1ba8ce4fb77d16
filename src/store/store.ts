// The seam between the engine and a database: an append-only journal, the views derived from it, and the requests
// other processes leave for the engine. Small on purpose, and asynchronous although SQLite is not, because every
// implementation has to pass test/store/contract.ts.
//
// Properties
// - An `append` that resolved survives `kill -9`, and with it every view it carried: one transaction.
// - A run has one writer. Events are numbered by the writer; an append with a number that is taken is *fenced*: nothing of
//   it is kept, and a writer that was replaced without knowing it learns so.
// - Every event carries the version of the journal's language. One of an older version is brought up to date when it is
//   read (upcast.ts); one of a newer version is refused as such, never taken for damage.
// - Readers in other processes see whole appends or nothing, and never hold the writer up.

import type { Hold } from '../claim.ts'
import type { Settings } from '../config.ts'
import type { Event, Progress } from '../event.ts'
import type { DiffStat, ListedRun, Note, RunSummary, TaskStatus, TaskView } from '../status.ts'
import type { Plan } from '../task.ts'
import type { LearningStore } from './learning-store.ts'
import type { LedgerStore, LedgerViews } from './ledger.ts'
import type { SuiteStore } from './suite-store.ts'

export interface Store
  extends Views,
    JournalStore,
    FeedStore,
    RequestStore,
    NoteStore,
    LedgerStore,
    VerdictStore,
    HoldStore,
    LearningStore,
    SuiteStore,
    AsyncDisposable {
  /** Gives back the disk of runs that were deleted, where it is worth the time. For a quiet time. */
  compact(): Promise<void>
}

export interface JournalStore {
  createRun(run: Omit<RunRecord, 'currentPlan'>): Promise<void>
  append(run: string, events: Event[], changes: Changes): Promise<Appended>
  events(run: string, after?: number, atMost?: number): Promise<Event[]>
  /** Forgets a run and all that was written of it, but for what it has landed of plan files. */
  deleteRun(run: string): Promise<void>
}

/** `fenced`: another writer has taken one of the numbers, so the run is no longer this one's. */
export type Appended = 'written' | 'fenced'

/** What happens in all runs, whichever process writes it, in one order. */
export interface FeedStore {
  /** The number of the newest entry; 0 where nothing has happened yet. */
  cursor(): Promise<number>
  /**
   * Every entry after a cursor, and those to come, in order, until the signal: each event once and none left out. Of
   * progress the newest of each run are kept (`LIMITS.progressKept`).
   */
  watch(
    after: number,
    options?: { run?: string | undefined; signal?: AbortSignal | undefined },
  ): AsyncIterable<FeedEntry>
  /** What agents are doing right now. It is no part of the journal. */
  addProgress(run: string, progress: readonly Progress[]): Promise<void>
}

/** Cursors grow over all runs, and are never given twice. */
export type FeedEntry = { cursor: number; run: string; event: Event | Progress }

export interface RequestStore {
  request(run: string, request: Request): Promise<number>
  requests(run: string, after: number): Promise<(Request & { id: number })[]>
}

/** Small things that are kept with a run and are no part of its journal. They go with the run. */
export interface NoteStore {
  /** In place of the one of that name; null: none from now on. */
  putNote(run: string, name: string, value: unknown): Promise<void>
}

export interface VerdictStore {
  /** Whether these commands have passed on this tree before, in whatever run. */
  hasPassed(verdict: VerdictKey): Promise<boolean>
  rememberPassed(verdict: VerdictKey): Promise<void>
}

/** What was derived from the journal. */
export interface Views extends LedgerViews {
  /** Of every run there is, also of those that never got as far as their first event. */
  runIds(): Promise<string[]>
  /** Newest first. */
  runs(): Promise<ListedRun[]>
  run(id: string): Promise<RunRecord | null>
  view(run: string): Promise<RunSummary | null>
  /** Only of tasks that something has happened to; by id. */
  tasks(run: string, status?: TaskStatus): Promise<Map<string, TaskView>>
  /** Null: nothing has happened to it. */
  task(run: string, id: string): Promise<TaskView | null>
  /** As it was put, or null. Whoever asks checks that it makes sense. */
  note(run: string, name: string): Promise<unknown>
  /**
   * For whoever waits for others: true at once and whenever somebody else has written, several times at once counted as
   * one; false where only time has passed (`atLeastEveryMs`). Ends with the signal.
   */
  changes(options?: { signal?: AbortSignal | undefined; atLeastEveryMs?: number | undefined }): AsyncIterable<boolean>
}

export type RunRecord = {
  id: string
  name: string
  repo: string
  planFile: string | null
  createdAt: number
  /** As it was when the run began: the journal tells how it has changed since. */
  plan: Plan
  /** As it is now. */
  currentPlan: Plan
  /** Those it began with: a resumed run goes on with them unless it is told otherwise. */
  settings: Settings
}

/** `commands`: a hash of the commands and of what they depend on besides the tree. */
export type VerdictKey = { tree: string; commands: string }

/** `plan`: the run has another one from now on, with `run.replanned`. What `tasks.added` adds is taken from the journal. */
export type Changes = { run: RunSummary; tasks: TaskView[]; plan?: Plan }

export type Request =
  | { type: 'cancel'; task: string | null }
  /** A person has resolved the conflict of a task (`commit`), or given it up (null). */
  | { type: 'resolve'; task: string; conflict: string; commit: string | null; diff: DiffStat | null }
  /** The agent of an attempt tells something of its task. */
  | ({ type: 'note'; task: string; attempt: number } & Omit<Note, 'at'>)
  /** The agent of an attempt wants to write these globs too. */
  | { type: 'claim'; task: string; attempt: number; paths: string[] }

// The part of the seam for claims that people hold. They belong to no run: an engine that works compares them with what
// its run knows, so nothing that was written here is missed, and nothing has to be answered.

export interface HoldStore {
  /** Those whose time is not over, oldest first. */
  holds(now: number): Promise<Hold[]>
  /** Whoever holds the same glob already holds it until the new end instead. Null: there would be more than `most`. */
  addHolds(holds: readonly Omit<Hold, 'id'>[], now: number, most: number): Promise<Hold[] | null>
  /** Gives back those that were there. */
  removeHolds(ids: readonly number[]): Promise<Hold[]>
}
