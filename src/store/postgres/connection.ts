// The connections of one store to Postgres.
//
// Properties
// - A transaction happens once or not at all, also where the connection is lost while it commits: its number is known before,
//   and Postgres tells afterwards what became of it.
// - What a restarted or unreachable server interrupts is tried again, later and later, until `patienceMs` are over.
// - No statement waits for ever: an answer that does not come in time counts as a lost connection.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { doubled, retry } from '../../async/retry.ts'
import { LIMITS } from '../../config.ts'
import type { Row } from '../database.ts'
import type { PostgresPlace } from '../place.ts'
import { isOutage } from './trouble.ts'

/** Runs one statement. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<Row[]>

export type Mode = 'write' | 'read'

export class Connection implements AsyncDisposable {
  readonly place: PostgresPlace
  readonly #pool: pg.Pool
  readonly #patienceMs: number
  readonly #closing = new AbortController()

  constructor(place: PostgresPlace, mode: Mode, patienceMs = patienceOf(mode)) {
    this.place = place
    this.#patienceMs = patienceMs
    this.#pool = new pg.Pool({ ...clientConfig(place, mode), max: LIMITS.storeConnections, idleTimeoutMillis: 30_000 })
    // Of a connection that nobody uses: whoever needs one gets another.
    this.#pool.on('error', () => {})
  }

  /** One statement that changes nothing, or may be repeated. */
  async sql(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#untilReached(async () => (await this.#pool.query(text, [...values])).rows)
  }

  /**
   * All or nothing, and once. `work` may be called again where the connection was lost before it was committed: what it
   * changes besides the database has to allow that.
   */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    let pending: { number: string; result: T } | null = null
    return this.#untilReached(async () => {
      if (pending !== null && (await this.#isCommitted(pending.number))) return pending.result
      pending = null
      const client = await this.#pool.connect()
      let lost: Error | undefined
      const onError = (error: Error) => {
        lost = error
      }
      client.on('error', onError)
      try {
        // Two statements in one message, so two results.
        const begun: unknown = await client.query('begin; select pg_current_xact_id()::text as number')
        const [first] = (begun as [pg.QueryResult, pg.QueryResult])[1].rows
        const result = await work(async (text, values = []) => (await client.query(text, [...values])).rows)
        pending = { number: String(first.number), result }
        await client.query('commit')
        return result
      } catch (error) {
        if (isOutage(error)) lost ??= error as Error
        else await client.query('rollback').catch((trouble: Error) => (lost ??= trouble))
        // What Postgres itself refused was not committed.
        if (lost === undefined) pending = null
        throw error
      } finally {
        client.off('error', onError)
        client.release(lost ?? false)
      }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    await this.#pool.end()
  }

  async #isCommitted(number: string): Promise<boolean> {
    for (;;) {
      const { rows } = await this.#pool.query('select pg_xact_status($1::xid8) as status', [number])
      if (rows[0].status !== 'in progress') return rows[0].status === 'committed'
      // The server has not noticed yet that its client is gone.
      await wait(FIRST_WAIT_MS)
    }
  }

  #untilReached<T>(work: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#patienceMs
    const pauseAfter = (error: unknown, tries: number) => {
      const pauseMs = doubled(tries, { first: FIRST_WAIT_MS, most: LONGEST_WAIT_MS })
      return isOutage(error) && performance.now() + pauseMs <= end ? pauseMs : null
    }
    return retry(work, pauseAfter, this.#closing.signal)
  }
}

/** The agents of an engine go on working while it waits; a reader has somebody who waits for it. */
function patienceOf(mode: Mode): number {
  return mode === 'write' ? LIMITS.storeOutageMs : LIMITS.storeReadOutageMs
}

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 1_000

/** Of one connection: for the pool, and for those that listen or hold a lock. */
export function clientConfig({ connectionString, schema }: PostgresPlace, mode: Mode): pg.ClientConfig {
  const readOnly = mode === 'read' ? ' -c default_transaction_read_only=on' : ''
  return {
    connectionString,
    application_name: 'espalier',
    options: `-c search_path=${schema}${readOnly} -c client_min_messages=warning`,
    types: { getTypeParser },
    connectionTimeoutMillis: LIMITS.storeConnectMs,
    query_timeout: LIMITS.storeAnswerMs,
    keepAlive: true,
  }
}

/** Whole numbers are numbers: none of ours comes near the limit of what those can hold. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type as number, format as 'text')
