// The connections of one store to Postgres.
//
// Properties
// - A transaction happens once or not at all, also if the connection is lost while it commits: its number is known before,
//   and Postgres can report its outcome afterwards.
// - Work that a restarted or unreachable server interrupts is retried, at growing intervals, for `patienceMs`.
// - No statement waits for ever: a late answer counts as a lost connection.
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
    // Errors of idle connections are ignored: the pool replaces them.
    this.#pool.on('error', () => {})
  }

  /** Runs a statement that is read-only or may be repeated. */
  async sql(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#untilReached(async () => (await this.#pool.query(text, [...values])).rows)
  }

  /**
   * Runs a transaction exactly once. `work` may be called again if the connection was lost before the commit: its
   * effects besides the database have to allow that.
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
        // Two statements in one message give two results.
        const begun: unknown = await client.query('begin; select pg_current_xact_id()::text as number')
        const [first] = (begun as [pg.QueryResult, pg.QueryResult])[1].rows
        const result = await work(async (text, values = []) => (await client.query(text, [...values])).rows)
        pending = { number: String(first.number), result }
        await client.query('commit')
        return result
      } catch (error) {
        if (isOutage(error)) lost ??= error as Error
        else await client.query('rollback').catch((trouble: Error) => (lost ??= trouble))
        // A transaction that Postgres itself refused was not committed.
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
      // The server may not have noticed yet that its client is gone.
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

/** Engines wait longer, because their agents continue meanwhile; readers have a person waiting. */
function patienceOf(mode: Mode): number {
  return mode === 'write' ? LIMITS.storeOutageMs : LIMITS.storeReadOutageMs
}

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 1_000

/** Settings of one connection: for the pool, and for connections that listen or hold a lock. */
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

/** Reads 64-bit integers as numbers: none of ours comes near the limit of exact numbers. */
const getTypeParser: pg.CustomTypesConfig['getTypeParser'] = (type, format) =>
  type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type as number, format as 'text')
