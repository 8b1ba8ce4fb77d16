// The feed over all runs, on Postgres. Events and progress share one counter, whose row is held until they are committed: what
// has a lower number is never seen later.
import { LIMITS } from '../../config.ts'
import type { Event } from '../../event.ts'
import { parseJson } from '../row.ts'
import type { FeedEntry, FeedStore } from '../store.ts'
import type { Row } from './connection.ts'
import { type Database, takeNumbers } from './database.ts'

export type EventOfRow = (run: string, row: Row) => Event

export function feed(db: Database, eventOf: EventOfRow): FeedStore {
  const cursor = async () => Number((await db.sql("select last from counter where name = 'feed'"))[0]?.last)

  /** One statement, so one state of the database: nothing comes in between. */
  const page = async (after: number, run: string | null, most = PAGE_ENTRIES): Promise<FeedEntry[]> => {
    const rows = await db.sql(PAGE, [after, run, most])
    return rows.map((row) => {
      const id = String(row.run)
      const entry = { cursor: Number(row.cursor), run: id }
      if (row.seq !== null) return { ...entry, event: eventOf(id, row) }
      const message = String(parseJson(row.data, `progress ${row.cursor}`))
      const said = { task: String(row.task), attempt: Number(row.attempt), at: Number(row.at), message }
      return { ...entry, event: { type: 'attempt.progress', ...said } }
    })
  }

  return {
    cursor,

    async *watch(after, { run = null, signal } = {}) {
      let last = after
      const every = Number.POSITIVE_INFINITY
      for await (const _ of db.news.wakes({ signal, atLeastEveryMs: every, ownToo: true })) {
        for (;;) {
          const entries = signal?.aborted ? [] : await page(last, run)
          for (const entry of entries) {
            last = entry.cursor
            yield entry
          }
          if (entries.length === 0) break
        }
      }
    },

    entries: (after, { run = null, atMost }) => page(after, run, atMost),

    async addProgress(run, progress) {
      await db.write(async (sql) => {
        // What a crash of the server takes of it nobody misses: it does not wait for the disk.
        await sql('set local synchronous_commit = off')
        const next = await takeNumbers(sql, 'feed', progress.length)
        await sql(ADD, [
          ...[next, run, progress.map(({ task }) => task), progress.map(({ attempt }) => attempt)],
          ...[progress.map(({ at }) => at), progress.map(({ message }) => JSON.stringify(message))],
        ])
        await sql(TRIM, [run, LIMITS.progressKept])
      })
    },
  }
}

const PAGE_ENTRIES = 500

const PAGE = `
  (select cursor, run, seq, version, at, task, null::integer as attempt, data from event
    where cursor > $1 and ($2::text is null or run = $2) order by cursor limit $3)
  union all
  (select cursor, run, null, null, at, task, attempt, message from progress
    where cursor > $1 and ($2::text is null or run = $2) order by cursor limit $3)
  order by cursor limit $3`

/** A message is JSON: it may have a NUL in it, which Postgres cannot hold. */
const ADD = `
  insert into progress (cursor, run, task, attempt, at, message)
    select $1::bigint + place - 1, $2, task, attempt, at, message
      from unnest($3::text[], $4::integer[], $5::bigint[], $6::text[]) with ordinality as given(task, attempt, at, message, place)`

const TRIM = `
  delete from progress where run = $1 and cursor <=
    (select cursor from progress where run = $1 order by cursor desc limit 1 offset $2)`
