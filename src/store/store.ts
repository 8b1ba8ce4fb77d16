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

import type { Settings } from '../config.ts'
import type { Event, Progress, RequestedFact } from '../event.ts'
import type { Experience } from '../experience.ts'
import type { Known, Lesson } from '../lesson.ts'
import type { TaskStatus } from '../status.ts'
import type { Plan } from '../task.ts'
import type { Hold, ListedRun, RunSummary, TaskView } from '../view.ts'
import type { ChangesOptions } from './database.ts'
import type { Leader, LeadTaken } from './lead.ts'
import type { LedgerStore, LedgerViews } from './ledger.ts'
import type { SuiteStore } from './suites.ts'

export interface Store
  extends Views,
    JournalStore,
    LeadStore,
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
type Appended = 'written' | 'fenced'

/**
 * Who may append. Each who takes the lead begins an epoch, and the appends of whoever led before are fenced from then on,
 * whether it knows or not. A store that never took the lead is fenced by the numbers of events alone.
 */
export interface LeadStore {
  /** On Postgres it is held until the store is closed or its process is gone, wherever that runs. */
  takeLead(leader: Leader): Promise<LeadTaken>
  /** Who took the lead last, and when: it need not be there any more. */
  leader(): Promise<Leader | null>
  /** Aborted when this one has led and another has taken over. */
  readonly fenced: AbortSignal
}

export interface FeedStore {
  /** The number of the newest entry; 0 where nothing has happened yet. */
  cursor(): Promise<number>
  /** Every entry after a cursor, and those to come, until the signal. Of progress the newest of each run are kept. */
  watch(
    after: number,
    options?: { run?: string | undefined; signal?: AbortSignal | undefined },
  ): AsyncIterable<FeedEntry>
  /** The first of them that are there already, at most so many. */
  entries(after: number, options: { run?: string | undefined; atMost: number }): Promise<FeedEntry[]>
  addProgress(run: string, progress: readonly Progress[]): Promise<void>
}

/** Cursors grow over all runs, and are never given twice. */
export type FeedEntry = { cursor: number; run: string; event: Event | Progress }

export interface RequestStore {
  request(run: string, fact: RequestedFact): Promise<number>
  requests(run: string, after: number): Promise<Request[]>
}

/** Small things that are kept with a run and are no part of its journal. They go with the run. */
export interface NoteStore {
  /** In place of the one of that name; null: none from now on. */
  putNote(run: string, name: string, value: unknown): Promise<void>
}

export interface VerdictStore {
  hasPassed(verdict: VerdictKey): Promise<boolean>
  rememberPassed(verdict: VerdictKey): Promise<void>
}

export interface Views extends LedgerViews {
  /** Who leads at this moment, on whatever machine. Null: nobody, or a store whose lock is a file (workspace/lock.ts). */
  leading(): Promise<Leader | null>
  /** What is wrong with the database itself, also where nobody has read yet; null: nothing. Reads all of it. */
  damage(): Promise<string | null>
  /** Another process is just making the store: nothing is in it yet, and whoever wants to see more opens it again. */
  readonly isBeingMade: boolean
  /** Of every run there is, also of those that never got as far as their first event. */
  runIds(): Promise<string[]>
  /** Newest first; by default all of them. */
  runs(atMost?: number): Promise<ListedRun[]>
  run(id: string): Promise<RunRecord | null>
  /** As it was when the run began, without what it has grown by since: costs the same for a large run. */
  firstPlan(id: string): Promise<Plan | null>
  view(run: string): Promise<RunSummary | null>
  /** Only of tasks that something has happened to; by id. */
  tasks(run: string, status?: TaskStatus): Promise<Map<string, TaskView>>
  /** Those that have changed since a cursor of the feed, and the cursor to ask with next. None is left out; one may come twice. */
  changedTasks(run: string, after: number): Promise<{ cursor: number; tasks: TaskView[] }>
  /** Null: nothing has happened to it. */
  task(run: string, id: string): Promise<TaskView | null>
  /** As it was put, or null. Whoever asks checks that it makes sense. */
  note(run: string, name: string): Promise<unknown>
  /** True at once and whenever somebody else has written; false where only time has passed (`atLeastEveryMs`). */
  changes(options?: ChangesOptions): AsyncIterable<boolean>
}

export type RunRecord = {
  id: string
  name: string
  repo: string
  planFile: string | null
  createdAt: number
  /** As it was when the run began: the journal tells how it has changed since. */
  plan: Plan
  /** As it is now, by the journal. */
  currentPlan: Plan
  /** Those it began with: a resumed run goes on with them unless it is told otherwise. */
  settings: Settings
}

/** `commands`: a hash of the commands and of what they depend on besides the tree. */
type VerdictKey = { tree: string; commands: string }

type Changes = { run: RunSummary; tasks: TaskView[] }

/** `id`: its number, which grows over all runs. */
export type Request = { id: number; fact: RequestedFact }

// Claims that people hold belong to no run: an engine compares them with what its run knows, so none is missed.

export interface HoldStore {
  holds(now: number): Promise<Hold[]>
  /** Whoever holds the same glob already holds it until the new end instead. Null: there would be more than `most`. */
  addHolds(holds: readonly Omit<Hold, 'id'>[], now: number, most: number): Promise<Hold[] | null>
  removeHolds(ids: readonly number[]): Promise<Hold[]>
}

// The part of the seam that outlives runs: lessons and what became of attempts.
//
// Properties
// - `learn` reads, decides and writes in one transaction, so a person who edits a lesson and an engine that has seen it
//   again do not undo each other's change.
// - What a run's journal teaches is learned once: `upTo` is written with it.
// - The newest attempts are kept; `update` bounds the lessons.

export interface LearningStore {
  /** As they are now, whoever has changed them. */
  lessons(): Promise<Lesson[]>
  experiences(): Promise<Experience[]>
  /** How many lessons and attempts make no sense and are left out: a file can be damaged. */
  damaged(): Promise<number>
  /** The last event of a run's journal that was learned from; 0: none. */
  learnedUpTo(run: string): Promise<number>
  /** `update` changes the lessons it is given in place. It may be called again. */
  learn(update: (known: Known) => Learned): Promise<void>
}

/** `touched`: ids of the lessons that were changed, added or dropped. */
type Learned = {
  touched: Iterable<string>
  experiences?: Experience[]
  upTo?: { run: string; seq: number }
}
