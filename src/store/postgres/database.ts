// A store on Postgres: reads, writes that wake listeners, and news of writes by other processes.
import { randomUUID } from 'node:crypto'
import {
  type ChangesOptions,
  type Counter,
  type Database,
  type Insert,
  type Leader,
  parseLeader,
  type Row,
  type Statements,
  type Words,
} from '../database.ts'
import type { PostgresPlace } from '../place.ts'
import { Query, raw, sql } from '../sql.ts'
import { Connection, type Mode, type Sql } from './connection.ts'
import { AdvisoryLead } from './lead.ts'
import { Listener } from './listener.ts'

const POSTGRES_WORDS: Words = {
  order: raw('number'),
  byBytes: raw('collate "C"'),
  json: raw('::json'),
  feed: raw("counter where name = 'feed'"),
  epochLock: raw('for share'),
  // Weaker than `for update`, so that a request that refers to the run need not wait.
  runLock: raw('for no key update'),
  newestSeq: raw('last_seq'),
  keepNewestSeq: (seq) => sql`, last_seq = greatest(last_seq, ${seq})`,
  planIndex: raw(''),
  // A saved row carries the number of its transaction.
  lessonVersion: sql`select count(*) || '/' || max(xmin::text::bigint) as version from lesson`,
  isOneOf: (values) => sql`= any(${values})`,
}

export class PostgresDatabase implements Database {
  readonly words = POSTGRES_WORDS
  readonly isStandIn = false
  readonly lead: AdvisoryLead
  readonly #connection: Connection
  readonly #news: Listener
  /** Identifies the notifications of this store to its own listeners. */
  readonly #self = randomUUID()
  readonly #read: Run

  constructor(place: PostgresPlace, mode: Mode) {
    this.#connection = new Connection(place, mode)
    this.#news = new Listener(place, this.#self)
    this.lead = new AdvisoryLead(this.#connection)
    this.#read = running((text, values) => this.#connection.sql(text, values))
  }

  async all<T = Row>(query: Query, of?: (row: Row) => T): Promise<T[]> {
    const rows = await this.#read(query)
    return of === undefined ? (rows as T[]) : rows.map(of)
  }

  read<T>(work: () => Statements<T>): Promise<T> {
    return carryOut(work(), this.#read)
  }

  write<T>(work: () => Statements<T>, { isLazy = false } = {}): Promise<T> {
    return this.#connection.transaction(async (text) => {
      if (isLazy) await text('set local synchronous_commit = off')
      const result = await carryOut(work(), running(text))
      await text('select pg_notify($1, $2)', [this.#connection.place.schema, this.#self])
      return result
    })
  }

  *take(counter: Counter, count: number): Statements<number> {
    const [row] = yield sql`update counter set last = last + ${count} where name = ${counter} returning last`
    return Number(row?.last) - count + 1
  }

  changes({ own, ...options }: ChangesOptions & { own: boolean }): AsyncIterable<boolean> {
    return this.#news.wakes({ ...options, own })
  }

  async leading(): Promise<Leader | null> {
    // pg_locks lists a lock of 64 bits as two of 32.
    const [row] = await this.all(sql`select leader from lead where exists (
      select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = hashtextextended(${this.#connection.place.schema}, 0))`)
    return parseLeader(row?.leader)
  }

  /** Postgres checks its own files. */
  async damage(): Promise<null> {
    return null
  }

  /** Postgres reuses the space of deleted rows itself. */
  async compact(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lead[Symbol.asyncDispose]()
    await this.#news[Symbol.asyncDispose]()
    await this.#connection[Symbol.asyncDispose]()
  }
}

/** Carries out a statement. */
type Run = (statement: Query | Insert) => Promise<Row[]>

async function carryOut<T>(work: Statements<T>, run: Run): Promise<T> {
  let step = work.next()
  while (!step.done) step = work.next(await run(step.value))
  return step.value
}

function running(text: Sql): Run {
  return async (statement) => {
    if (statement instanceof Query)
      return text(
        statement.text((number) => `$${number}`),
        statement.values,
      )
    const { into, rows, conflict } = statement
    if (rows[0] === undefined) return []
    const columns = Object.keys(rows[0]).join(', ')
    // Passes all rows as one JSON value; the table gives the types of the columns.
    const given = `select ${columns} from json_populate_recordset(null::${into}, $1)`
    return text(`insert into ${into} (${columns}) ${given} ${conflict}`, [JSON.stringify(rows)])
  }
}
