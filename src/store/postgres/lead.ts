// The lead on Postgres, which allows appends: an advisory lock, held on a connection of its own, and the newest epoch.
//
// Properties
// - The lock is free as soon as its holder's connection is gone: at once if the process died, within some 10 seconds if its
//   machine did (the server checks).
// - The row of the epoch does the fencing: an append reads it under a lock that the next leader has to wait for, so no append of
//   an older epoch is committed once a newer one has begun.
// - A leader that lost its connection takes the lock again, in the same epoch; if that epoch is over, `fenced` is aborted.
// Tolerated: two processes that believe they lead. Only one of them can write.
import pg from 'pg'
import { LIMITS } from '../../config.ts'
import { type Lead, type Leader, type LeadTaken, parseLeader } from '../database.ts'
import { type Connection, clientConfig } from './connection.ts'

export class AdvisoryLead implements Lead, AsyncDisposable {
  readonly #connection: Connection
  readonly #fenced = new AbortController()
  #epoch: number | null = null
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get epoch(): number | null {
    return this.#epoch
  }

  get fenced(): AbortSignal {
    return this.#fenced.signal
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#letGo()
  }

  async take(leader: Leader): Promise<LeadTaken> {
    const client = await this.#lock()
    if (client === null) {
      const [row] = await this.#connection.sql('select leader from lead')
      return { ok: false, leader: parseLeader(row?.leader) }
    }
    try {
      const row = 'update lead set epoch = epoch + 1, leader = $1 returning epoch'
      const { rows } = await client.query(row, [JSON.stringify(leader)])
      this.#epoch = Number(rows[0].epoch)
      this.#keep(client)
      return { ok: true, epoch: this.#epoch }
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  /** A connection that holds the lock, or null if another process holds it. */
  async #lock(): Promise<pg.Client | null> {
    const { place } = this.#connection
    const client = new pg.Client({ ...clientConfig(place, 'write'), query_timeout: LIMITS.storeConnectMs })
    client.on('error', () => {}) // `end` follows
    try {
      await client.connect()
      await client.query('set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3')
      const text = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as yes'
      const { rows } = await client.query(text, [place.schema])
      if (rows[0].yes === true) return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    await client.end().catch(() => {})
    return null
  }

  #keep(client: pg.Client): void {
    this.#client = client
    client.on('end', () => {
      if (this.#client !== client) return
      this.#client = null
      this.#later(0)
    })
    this.#later(LIMITS.storeListenMs)
  }

  #later(ms: number): void {
    if (this.#isClosed || this.#fenced.signal.aborted) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), ms)
    this.#timer.unref()
  }

  /** Checks that this process still leads, and takes the lock again if the connection was lost. */
  async #look(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#lock())
      const text = 'select epoch from lead'
      const rows = client ? (await client.query(text)).rows : await this.#connection.sql(text)
      const isOurs = Number(rows[0]?.epoch) === this.#epoch
      if (!isOurs) this.fence()
      if (client !== null && client !== this.#client) {
        if (isOurs && !this.#isClosed) this.#keep(client)
        else await client.end().catch(() => {})
      }
    } catch {
      const client = this.#client
      this.#client = null
      await client?.end().catch(() => {})
      this.#later(RETRY_MS)
      return
    }
    this.#later(this.#client ? LIMITS.storeListenMs : RETRY_MS)
  }

  fence(): void {
    this.#fenced.abort()
    void this.#letGo()
  }

  async #letGo(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }
}

const RETRY_MS = 200
