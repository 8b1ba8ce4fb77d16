// The events of one repository for all its followers: read from the store once, the newest kept as the JSON that is sent. A
// follower that is further behind reads the journal itself, and joins when it has caught up.
//
// Properties
// - Every subscriber gets each entry after its cursor once, in order, from memory or from the journal: cursors grow over
//   all runs, and the entries in memory have no gaps.
// - No subscriber delays another: each asks for the next piece when it has room for it.
// - The store is read only while there is a follower, and a moment longer.
// Tolerated: a repository without a store yet; a state folder that is removed and made anew (its cursors begin anew, so
// followers are disconnected, and begin anew themselves).
import { setTimeout as wait } from 'node:timers/promises'
import { untilAborted } from '../../async/until-aborted.ts'
import type { Event, Progress } from '../../event.ts'
import type { FeedEntry } from '../../store/journal-queries.ts'
import { openStore } from '../../store/open.ts'
import { storeInode } from '../../store/place.ts'
import type { Store } from '../../store/store.ts'
import { jsonText } from '../../text/json.ts'
import { SERVER_LIMITS } from '../limits.ts'

/** `json`: the event as text. */
export type HubEntry = { cursor: number; run: string; event: Event | Progress; json: string }

export class EventHub implements AsyncDisposable {
  readonly #database: string
  readonly #closing = new AbortController()
  #reading: Reading | null = null
  #followers = 0

  constructor(database: string) {
    this.#database = database
  }

  /** The newest cursor; 0: the store has no events. */
  async cursor(): Promise<number> {
    const store = await this.#store()
    if (!store) return 0
    await using opened = store
    return await opened.cursor()
  }

  /** Entries after a cursor, in pieces, until the signal. Of one run, if one is named. */
  async *follow(
    after: number,
    { run, signal }: { run?: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<HubEntry[], void, void> {
    const until = AbortSignal.any([signal, this.#closing.signal])
    this.#followers++
    try {
      const reading = await this.#read(until)
      if (!reading) return
      let last = after
      while (!until.aborted) {
        if (reading.trouble) throw reading.trouble
        const news = reading.news()
        const isBehind = last < reading.floor
        const piece = isBehind ? await reading.journal(last, run) : reading.after(last, run)
        const isNews = piece.last > last
        last = piece.last
        if (piece.entries.length > 0) yield piece.entries
        else if (!isNews) await untilAborted(until, news).catch(() => {})
      }
    } finally {
      this.#followers--
      if (this.#followers === 0) this.#stopSoon()
    }
  }

  /** The current reading, or a new one as soon as there is a store. Null: aborted. */
  async #read(signal: AbortSignal): Promise<Reading | null> {
    while (!signal.aborted) {
      if (this.#reading && !this.#reading.trouble) return this.#reading
      const store = await this.#store()
      const cursor = (await store?.cursor()) ?? 0
      // Another follower may have been faster.
      if (this.#reading && !this.#reading.trouble) {
        await store?.[Symbol.asyncDispose]()
        return this.#reading
      }
      if (store) {
        void this.#reading?.[Symbol.asyncDispose]() // one that met trouble
        this.#reading = new Reading(store, this.#database, cursor)
        return this.#reading
      }
      await wait(LOOK_MS, undefined, { signal }).catch(() => {})
    }
    return null
  }

  /** Null: there is no store yet, or another process is making it. */
  async #store(): Promise<Store | null> {
    const opened = storeInode(this.#database) === 0 ? null : await openStore(this.#database, 'read')
    if (opened?.ok && !opened.value.isBeingMade) return opened.value
    if (opened?.ok) await opened.value[Symbol.asyncDispose]()
    return null
  }

  /** Stops reading after a moment: a follower that lost its connection soon comes back. */
  #stopSoon(): void {
    const reading = this.#reading
    setTimeout(() => {
      if (this.#followers > 0 || this.#reading !== reading) return
      this.#reading = null
      void reading?.[Symbol.asyncDispose]()
    }, LINGER_MS).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    const reading = this.#reading
    this.#reading = null
    await reading?.[Symbol.asyncDispose]()
  }
}

const LOOK_MS = 250
const LINGER_MS = 10_000
const PIECE = 500

/** One open store, followed from its newest entry on. */
class Reading implements AsyncDisposable {
  readonly #store: Store
  readonly #stop = new AbortController()
  readonly #done: Promise<void>
  readonly #inode: number
  readonly #look: NodeJS.Timeout
  #entries: HubEntry[] = []
  #news = Promise.withResolvers<void>()
  #telling: NodeJS.Immediate | null = null
  /** The cursor before the first of `#entries`. */
  floor: number
  trouble: Error | null = null

  constructor(store: Store, database: string, cursor: number) {
    this.#store = store
    this.floor = cursor
    this.#inode = storeInode(database)
    this.#look = setInterval(() => {
      if (storeInode(database) !== this.#inode) this.#fail(new Error('the state folder was replaced'))
    }, REPLACED_MS)
    this.#look.unref()
    this.#done = this.#follow(cursor)
  }

  /** Resolves with the next entries. */
  news(): Promise<void> {
    return this.#news.promise
  }

  after(cursor: number, run: string | undefined): { entries: HubEntry[]; last: number } {
    // Most readers are near the end.
    const from = this.#entries.findLastIndex((entry) => entry.cursor <= cursor) + 1
    const piece = this.#entries.slice(from, from + PIECE)
    const entries = run === undefined ? piece : piece.filter((entry) => entry.run === run)
    return { entries, last: piece.at(-1)?.cursor ?? cursor }
  }

  /** A page of the journal after a cursor, up to `floor`. */
  async journal(after: number, run: string | undefined): Promise<{ entries: HubEntry[]; last: number }> {
    const upTo = this.floor
    const page = await this.#store.entries(after, { run, atMost: PIECE })
    const entries = page.filter(({ cursor }) => cursor <= upTo).map(hubEntry)
    const isAll = entries.length < PIECE
    return { entries, last: isAll ? upTo : (entries.at(-1)?.cursor ?? upTo) }
  }

  async #follow(cursor: number): Promise<void> {
    try {
      for await (const entry of this.#store.watch(cursor, { signal: this.#stop.signal })) {
        this.#entries.push(hubEntry(entry))
        if (this.#entries.length > SERVER_LIMITS.recentEvents * 1.2) {
          const gone = this.#entries.length - SERVER_LIMITS.recentEvents
          this.floor = this.#entries[gone - 1]?.cursor ?? this.floor
          this.#entries = this.#entries.slice(gone)
        }
        // One wake for entries that were written together.
        this.#telling ??= setImmediate(() => this.#tell())
      }
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #tell(): void {
    this.#telling = null
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  #fail(error: Error): void {
    this.trouble ??= error
    this.#news.resolve()
    this.#stop.abort()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#look)
    this.#fail(new Error('the server stops'))
    await this.#done
    await this.#store[Symbol.asyncDispose]()
  }
}

const REPLACED_MS = 1_000

function hubEntry({ cursor, run, event }: FeedEntry): HubEntry {
  return { cursor, run, event, json: jsonText(event) }
}
