// One store on Postgres as its parts see it: reads, writes that tell others of themselves, and the news of others.
import { randomUUID } from 'node:crypto'
import { Connection, type Mode, type Sql } from './connection.ts'
import { Listener } from './listener.ts'
import type { PostgresPlace } from './place.ts'

export class Database implements AsyncDisposable {
  readonly connection: Connection
  readonly news: Listener
  /** Those who listen know what is their own by it. */
  readonly #self = randomUUID()
  readonly sql: Sql

  constructor(place: PostgresPlace, mode: Mode) {
    this.connection = new Connection(place, mode)
    this.news = new Listener(place, this.#self)
    this.sql = (text, values) => this.connection.sql(text, values)
  }

  /** One transaction, after which others are woken. `work` may be called again: see `Connection.transaction`. */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.connection.transaction(async (sql) => {
      const result = await work(sql)
      await sql('select pg_notify($1, $2)', [this.connection.place.schema, this.#self])
      return result
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.news[Symbol.asyncDispose]()
    await this.connection[Symbol.asyncDispose]()
  }
}

type Counter = 'feed' | 'request' | 'experience' | 'hold'

/** The first of so many numbers. Others who want some wait until the transaction is over. */
export async function takeNumbers(sql: Sql, counter: Counter, count: number): Promise<number> {
  const [row] = await sql('update counter set last = last + $2 where name = $1 returning last', [counter, count])
  return Number(row?.last) - count + 1
}
