// The seam between the queries of the store and a database: the few words in which SQLite and Postgres differ, reading,
// and transactions. Everything else is written once (journal.ts, views.ts, feed.ts …).
//
// Properties
// - A transaction happens once or not at all. While it runs, no statement of another caller comes between its own.
// - `Statements` are yielded and answered with rows: SQLite carries them out at once, Postgres one answer at a time.
// - `changes` misses no commit: a caller that reads after each of its signals has seen all there is.
import type { Query } from './sql.ts'

export type Row = Record<string, unknown>

/** Rows of a table, all with the same columns; none: nothing happens. `conflict`: what follows `values (…)`. */
export type Insert = { into: string; rows: readonly Row[]; conflict: string }

export type Statements<T> = Generator<Query | Insert, T, Row[]>

/** Numbered over all runs. A number is not given twice, not even after its row is gone. */
export type Counter = 'feed' | 'request' | 'experience' | 'hold'

export interface Database extends AsyncDisposable {
  readonly words: Words
  readonly lead: Lead
  /** Another process is just making the database: this one is empty and stands for it. */
  readonly isStandIn: boolean
  /** One statement that changes nothing. `of` is called for each row as it comes. */
  all<T = Row>(query: Query, of?: (row: Row) => T): Promise<T[]>
  read<T>(work: () => Statements<T>): Promise<T>
  /** One transaction. `work` may be called again where a connection was lost before the commit. */
  write<T>(work: () => Statements<T>, options?: { isLazy?: boolean }): Promise<T>
  /** The first of so many numbers. Inside a transaction: another one that takes some waits until this one is over. */
  take(counter: Counter, count: number): Statements<number>
  /** True at once and after commits; false: only time has passed. `own`: commits of this store count as well. */
  changes(options: ChangesOptions & { own: boolean }): AsyncIterable<boolean>
  leading(): Promise<Leader | null>
  damage(): Promise<string | null>
  compact(): Promise<void>
}

/** `place`: its state folder. `at`: when it took the lead. */
export type Leader = { host: string; pid: number; place: string; at: number }

export type LeadTaken = { ok: true; epoch: number } | { ok: false; leader: Leader | null }

/** Each process that takes the lead begins an epoch, and appends of earlier epochs are fenced from then on. */
export interface Lead {
  /** Null: this store never took the lead, and is fenced by the numbers of events alone. */
  readonly epoch: number | null
  /** Aborted when this one has led and another has taken over. */
  readonly fenced: AbortSignal
  /** On Postgres it is held until the store is closed or its process is gone, wherever that runs. */
  take(leader: Leader): Promise<LeadTaken>
  /** Another one has begun a newer epoch. */
  fence(): void
}

export type ChangesOptions = { signal?: AbortSignal | undefined; atLeastEveryMs?: number | undefined }

export type Words = {
  /** The column by which rows are in the order in which they were inserted. */
  order: Query
  /** Sorts a text by its bytes. */
  byBytes: Query
  /** After a text column: makes it JSON, of which `->>` reads a field. */
  json: Query
  /** The counter of the feed, as a table with the column `last`. */
  feed: Query
  /** Locks the row of the epoch against the next leader, and that of a run against other appends. */
  epochLock: Query
  runLock: Query
  /** Of a row of `run`: the number of its newest event, and how an update keeps it. */
  newestSeq: Query
  keepNewestSeq: (seq: number) => Query
  /** After `event`: SQLite would not choose this index. */
  planIndex: Query
  /** Changes with every change of a lesson. */
  lessonVersion: Query
  isOneOf: (values: readonly unknown[]) => Query
}

/** What a row says whose columns are named like the fields. Copied: rows of SQLite have no prototype. */
export function fieldsOf<T>(row: Row): T {
  return { ...row } as T
}

export function insert(into: string, rows: readonly Row[], conflict = ''): Insert {
  return { into, rows, conflict }
}

/** Inserts, or replaces what stands under the same `key`. */
export function put(into: string, key: readonly string[], rows: readonly Row[]): Insert {
  const others = Object.keys(rows[0] ?? {}).filter((name) => !key.includes(name))
  const changes = others.map((name) => `${name} = excluded.${name}`).join(', ')
  return insert(into, rows, `on conflict (${key.join(', ')}) do update set ${changes}`)
}

/** Null: nobody has led yet. */
export function parseLeader(text: unknown): Leader | null {
  return typeof text === 'string' ? (JSON.parse(text) as Leader) : null
}
