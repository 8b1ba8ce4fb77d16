// One connection to the state database (node:sqlite). It is synchronous, so no other statement comes between those of
// a transaction; prepared statements are kept.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { ChangesOptions, Counter, Database, Insert, Lead, Leader, Row, Statements, Words } from '../database.ts'
import { Query, raw, sql } from '../sql.ts'
import { wakes } from './wake.ts'

const SQLITE_WORDS: Words = {
  order: raw('rowid'),
  byBytes: raw(''),
  json: raw(''),
  feed: raw('feed'),
  epochLock: raw(''),
  runLock: raw(''),
  newestSeq: raw('coalesce((select max(seq) from event where event.run = run.id), 0)'),
  keepNewestSeq: () => raw(''),
  planIndex: raw('indexed by event_of_plan'),
  // Counts commits of other connections; this one knows its own changes.
  lessonVersion: sql`select data_version as version from pragma_data_version`,
  isOneOf: (values) =>
    values.length === 1 ? sql`= ${values[0]}` : sql`in (select value from json_each(${JSON.stringify(values)}))`,
}

export class SqliteDatabase implements Database {
  readonly words = SQLITE_WORDS
  /** The lock of the state folder (workspace/lock.ts) decides who leads, so taking the lead here always succeeds. */
  readonly lead: Lead
  readonly isStandIn: boolean
  readonly #db: DatabaseSync
  readonly #path: string
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync, path: string, isStandIn = false) {
    this.#db = db
    this.#path = path
    this.isStandIn = isStandIn
    const fenced = new AbortController()
    const lead = {
      epoch: null as number | null,
      fenced: fenced.signal,
      take: async (leader: Leader) => {
        const text = JSON.stringify(leader)
        const [row] = this.#run(sql`update lead set epoch = epoch + 1, leader = ${text} returning epoch`)
        lead.epoch = Number(row?.epoch)
        return { ok: true as const, epoch: lead.epoch }
      },
      fence: () => fenced.abort(),
    }
    this.lead = lead
  }

  async all<T = Row>(query: Query, of?: (row: Row) => T): Promise<T[]> {
    if (of === undefined) return this.#run(query) as T[]
    const all: T[] = []
    // Converts one row at a time: keeping all rows costs more than reading them.
    for (const row of this.#prepared(query).iterate(...inputsOf(query.values))) all.push(of(row))
    return all
  }

  async read<T>(work: () => Statements<T>): Promise<T> {
    return this.#drive(work())
  }

  async write<T>(work: () => Statements<T>, { isLazy = false } = {}): Promise<T> {
    if (isLazy) this.#db.exec('pragma synchronous = normal')
    try {
      this.#db.exec('begin immediate')
      const result = this.#drive(work())
      this.#db.exec('commit')
      return result
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    } finally {
      if (isLazy) this.#db.exec('pragma synchronous = full')
    }
  }

  *take(counter: Counter, count: number): Statements<number> {
    if (counter === 'feed') {
      const [row] = yield sql`update feed set last = last + ${count} returning last`
      return Number(row?.last) - count + 1
    }
    // SQLite itself raises these counters when rows with such numbers are inserted.
    const [row] = yield sql`select seq from sqlite_sequence where name = ${counter}`
    return Number(row?.seq ?? 0) + 1
  }

  changes({ own, ...options }: ChangesOptions & { own: boolean }): AsyncIterable<boolean> {
    const stamp = own ? sql`select last as stamp from feed` : sql`select data_version as stamp from pragma_data_version`
    return wakes(this.#path, () => Number(this.#run(stamp)[0]?.stamp), options)
  }

  async leading(): Promise<null> {
    return null
  }

  async damage(): Promise<string | null> {
    const [row] = this.#run(sql`pragma quick_check(1)`)
    return row?.quick_check === 'ok' ? null : String(row?.quick_check)
  }

  /** Freed pages are reused, so the file is rewritten only if most of it is empty. */
  async compact(): Promise<void> {
    const [pages] = this.#run(sql`select freelist_count as free, page_count as pages
      from pragma_freelist_count, pragma_page_count`)
    const free = Number(pages?.free)
    if (free >= WORTH_PAGES && free > Number(pages?.pages) / 2) this.#db.exec('vacuum')
    this.#db.exec('pragma wal_checkpoint(truncate)')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }

  #drive<T>(work: Statements<T>): T {
    let step = work.next()
    while (!step.done) step = work.next(this.#run(step.value))
    return step.value
  }

  #run(statement: Query | Insert): Row[] {
    if (statement instanceof Query) return this.#prepared(statement).all(...inputsOf(statement.values))
    const { into, rows, conflict } = statement
    if (rows[0] === undefined) return []
    const columns = Object.keys(rows[0])
    const places = columns.map(() => '?').join(', ')
    const prepared = this.#preparedText(`insert into ${into} (${columns.join(', ')}) values (${places}) ${conflict}`)
    for (const row of rows) prepared.run(...inputsOf(Object.values(row)))
    return []
  }

  #prepared(query: Query): StatementSync {
    return this.#preparedText(query.markedBy('?'))
  }

  #preparedText(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.#db.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }
}

/** Worth compacting from 4 MB on. */
const WORTH_PAGES = 1_000

function inputsOf(values: readonly unknown[]): SQLInputValue[] {
  const hasTruth = values.some((value) => typeof value === 'boolean')
  const inputs = hasTruth ? values.map((value) => (typeof value === 'boolean' ? Number(value) : value)) : values
  return inputs as SQLInputValue[]
}
