// The seam between the queries of the store and a database: the few words in which SQLite and Postgres differ, reading,
// and transactions. Everything else is written once (journal-queries.ts, views.ts …).
//
// Properties
// - A transaction happens once or not at all. While it runs, no statement of another caller comes between its own.
// - `Statements` are yielded and answered with rows: SQLite carries them out at once, Postgres one answer at a time.
// - `changes` misses no commit: a caller that reads after each of its signals has seen everything.
import type { Query } from './sql.ts'

export type Row = Record<string, unknown>

/** Rows of a table, all with the same columns; none: nothing happens. `conflict`: what follows `values (…)`. */
export type Insert = { into: string; rows: readonly Row[]; conflict: string }

export type Statements<T> = Generator<Query | Insert, T, Row[]>

/** Counters over all runs. A number is never reused, not even after its row is deleted. */
export type Counter = 'feed' | 'request' | 'experience' | 'hold'

export interface Database extends AsyncDisposable {
  readonly words: Words
  readonly lead: Lead
  /** Another process is still creating the database: this one is an empty stand-in. */
  readonly isStandIn: boolean
  /** Runs a read-only statement. `of` is called for each row as it comes. */
  all<T = Row>(query: Query, of?: (row: Row) => T): Promise<T[]>
  read<T>(work: () => Statements<T>): Promise<T>
  /** Runs a transaction. `work` may be called again if a connection was lost before the commit. */
  write<T>(work: () => Statements<T>, options?: { isLazy?: boolean }): Promise<T>
  /** Takes `count` numbers and returns the first. In a transaction, other callers wait until it is over. */
  take(counter: Counter, count: number): Statements<number>
  /** Yields true at once and after commits; false: only time has passed. `own`: commits of this store count as well. */
  changes(options: ChangesOptions & { own: boolean }): AsyncIterable<boolean>
  leading(): Promise<Leader | null>
  damage(): Promise<string | null>
  compact(): Promise<void>
}

/** `place`: the state folder of the process. `at`: when it took the lead. */
export type Leader = { host: string; pid: number; place: string; at: number }

export type LeadTaken = { ok: true; epoch: number } | { ok: false; leader: Leader | null }

/** Each process that takes the lead begins an epoch, and appends of earlier epochs are fenced from then on. */
export interface Lead {
  /** Null: this store never led, so only the numbers of events fence it. */
  readonly epoch: number | null
  /** Aborted when this store led and another process took over. */
  readonly fenced: AbortSignal
  /** Takes the lead. On Postgres it is held until the store is closed or its process ends, on any machine. */
  take(leader: Leader): Promise<LeadTaken>
  /** Gives up the lead, because another process has begun a newer epoch. */
  fence(): void
}

export type ChangesOptions = { signal?: AbortSignal | undefined; atLeastEveryMs?: number | undefined }

export type Words = {
  /** The column with the order in which rows were inserted. */
  order: Query
  /** Sorts a text by its bytes. */
  byBytes: Query
  /** Follows a text column: makes it JSON, of which `->>` reads a field. */
  json: Query
  /** The counter of the feed, as a table with the column `last`. */
  feed: Query
  /** Lock clauses: the row of the epoch, against the next leader, and the row of a run, against other appends. */
  epochLock: Query
  runLock: Query
  /** In a row of `run`: the number of its newest event, and its update. */
  newestSeq: Query
  keepNewestSeq: (seq: number) => Query
  /** Follows `event`: the index to use, which SQLite would not choose. */
  planIndex: Query
  /** A value that changes with every change of a lesson. */
  lessonVersion: Query
  isOneOf: (values: readonly unknown[]) => Query
}

/** A row as an object whose fields have the names of the columns. Copied, because rows of SQLite have no prototype. */
export function fieldsOf<T>(row: Row): T {
  return { ...row } as T
}

export function insert(into: string, rows: readonly Row[], conflict = ''): Insert {
  return { into, rows, conflict }
}

/** Inserts rows, or replaces those with the same `key`. */
export function put(into: string, key: readonly string[], rows: readonly Row[]): Insert {
  const others = Object.keys(rows[0] ?? {}).filter((name) => !key.includes(name))
  const changes = others.map((name) => `${name} = excluded.${name}`).join(', ')
  return insert(into, rows, `on conflict (${key.join(', ')}) do update set ${changes}`)
}

/** Null: no process has led yet. */
export function parseLeader(text: unknown): Leader | null {
  return typeof text === 'string' ? (JSON.parse(text) as Leader) : null
}
