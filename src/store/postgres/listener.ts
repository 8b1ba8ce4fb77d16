// Waits for changes by other processes (LISTEN/NOTIFY), on a connection of its own that is made for the first waiter.
//
// Properties
// - Waiters are woken after every commit, and after every lost connection, during which they may have missed one.
// - A connection that only looks alive is noticed: it has to answer a query every few seconds.
import pg from 'pg'
import { LIMITS } from '../../config.ts'
import { Bell } from '../bell.ts'
import type { ChangesOptions } from '../database.ts'
import type { PostgresPlace } from '../place.ts'
import { clientConfig } from './connection.ts'

export class Listener implements AsyncDisposable {
  readonly #place: PostgresPlace
  readonly #self: string
  /** Waiting callers. True: commits of this store wake them, too. */
  readonly #bells = new Map<Bell, boolean>()
  #client: pg.Client | null = null
  #connecting: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #waitMs = FIRST_WAIT_MS
  #isClosed = false

  constructor(place: PostgresPlace, self: string) {
    this.#place = place
    this.#self = self
  }

  /** Yields true at once and whenever there is news; false: only time has passed. Ends with the signal. */
  async *wakes({ signal, atLeastEveryMs = Number.POSITIVE_INFINITY, own }: ChangesOptions & { own: boolean }) {
    const bell = new Bell()
    this.#bells.set(bell, own)
    const leave = () => bell.end()
    signal?.addEventListener('abort', leave)
    try {
      await this.#connected()
      yield true
      while (!signal?.aborted && !this.#isClosed) {
        const rang = await bell.rings(atLeastEveryMs)
        if (signal?.aborted || this.#isClosed) return
        // Several commits in a row cause one wake.
        if (rang) await bell.quiet(LIMITS.storeWakeMs)
        yield rang
      }
    } finally {
      signal?.removeEventListener('abort', leave)
      this.#bells.delete(bell)
      if (this.#bells.size === 0) this.#letGo()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    for (const bell of this.#bells.keys()) bell.end()
    await this.#connecting
    this.#letGo()
  }

  async #connected(): Promise<void> {
    if (this.#client === null) this.#connecting = this.#connect()
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(clientConfig(this.#place, 'read'))
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload }) => this.#ring(payload === this.#self))
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(this.#place.schema)}`)
      this.#waitMs = FIRST_WAIT_MS
      this.#later(LIMITS.storeListenMs, () => this.#look(client))
    } catch {
      this.#lost(client)
    }
    if (this.#isClosed) this.#letGo()
  }

  async #look(client: pg.Client): Promise<void> {
    try {
      await client.query('select 1')
      if (this.#client === client) this.#later(LIMITS.storeListenMs, () => this.#look(client))
    } catch {
      this.#lost(client)
    }
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client) return
    this.#letGo()
    if (this.#isClosed || this.#bells.size === 0) return
    this.#waitMs = Math.min(this.#waitMs * 2, LIMITS.storePollMs)
    this.#later(this.#waitMs, async () => {
      await this.#connected()
      this.#ring(false)
    })
  }

  #letGo(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const client = this.#client
    this.#client = null
    client?.end().catch(() => {})
  }

  #later(ms: number, work: () => void): void {
    if (this.#isClosed) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = setTimeout(work, ms)
  }

  #ring(isOwn: boolean): void {
    for (const [bell, own] of this.#bells) if (!isOwn || own) bell.ring()
  }
}

const FIRST_WAIT_MS = 50
