// The feed over all runs. Events and progress share one counter, which is raised in the transaction that writes them and
// held until it is over: an entry with a lower number is never seen later.
import { LIMITS } from '../config.ts'
import type { Event } from '../event.ts'
import { type Database, insert, type Row } from './database.ts'
import { sql } from './sql.ts'
import type { FeedEntry, FeedStore } from './store.ts'

export type EventOfRow = (run: string, row: Row) => Event

export function feed(db: Database, eventOf: EventOfRow): FeedStore {
  const entryOf = (row: Row): FeedEntry => {
    const run = String(row.run)
    const entry = { cursor: Number(row.cursor), run }
    if (row.seq !== null) return { ...entry, event: eventOf(run, row) }
    const about = { task: String(row.task), attempt: Number(row.attempt), at: Number(row.at) }
    return { ...entry, event: { type: 'attempt.progress', ...about, message: messageIn(String(row.data)) } }
  }

  /** One statement, so one state of the database: nothing comes in between. */
  const page = (after: number, run: string | null, most: number): Promise<FeedEntry[]> => {
    const which = run === null ? sql`` : sql`and run = ${run}`
    return db.all(
      sql`
        select * from (select cursor, run, seq, version, at, task, cast(null as bigint) as attempt, data from event
          where cursor > ${after} ${which} order by cursor limit ${most}) as events
        union all
        select * from (select cursor, run, cast(null as bigint), cast(null as bigint), at, task, attempt, message from progress
          where cursor > ${after} ${which} order by cursor limit ${most}) as messages
        order by cursor limit ${most}`,
      entryOf,
    )
  }

  return {
    async cursor() {
      return Number((await db.all(sql`select last from ${db.words.feed}`))[0]?.last)
    },

    async *watch(after, { run = null, signal } = {}) {
      let last = after
      for await (const _ of db.changes({ signal, own: true }))
        for (let more = true; more && !signal?.aborted; ) {
          const entries = await page(last, run, PAGE_ENTRIES)
          for (const entry of entries) {
            last = entry.cursor
            yield entry
          }
          more = entries.length > 0
        }
    },

    entries: (after, { run = null, atMost }) => page(after, run, atMost),

    async addProgress(run, progress) {
      const work = function* () {
        let next = yield* db.take('feed', progress.length)
        const rows = progress.map(({ type: _, message, ...about }) => {
          return { cursor: next++, run, ...about, message: JSON.stringify(message) }
        })
        yield insert('progress', rows)
        yield sql`delete from progress where run = ${run} and cursor <= (select cursor from progress where run = ${run}
          order by cursor desc limit 1 offset ${LIMITS.progressKept})`
      }
      // Nobody misses what a power cut takes of it: it does not wait for the disk.
      await db.write(work, { isLazy: true })
    },
  }
}

/** JSON, because Postgres cannot hold the NUL that a message may have. Older versions wrote it into SQLite as it is. */
export function messageIn(text: string): string {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'string') return message
  } catch {}
  return text
}

const PAGE_ENTRIES = 500
