// The feed over all runs, on SQLite. Events and progress share one counter, which is raised in the transaction that writes
// them: SQLite has one writer at a time, so what has a lower number is never seen later.
import type { SQLOutputValue } from 'node:sqlite'
import { LIMITS } from '../../config.ts'
import type { Event } from '../../event.ts'
import type { FeedEntry, FeedStore } from '../store.ts'
import type { Database } from './database.ts'
import { wakes } from './wake.ts'

export type EventOfRow = (run: string, row: Record<string, SQLOutputValue>) => Event

export function feed(db: Database, eventOf: EventOfRow, path: string): FeedStore {
  const cursor = () => Number(db.sql('select last from feed').get()?.last)

  /** One statement, so one state of the database: nothing comes in between. */
  const page = (after: number, run: string | null, most = PAGE_ENTRIES): FeedEntry[] => {
    const rows = db.sql(PAGE).all({ after, run, most })
    return rows.map((row) => {
      const [at, id] = [Number(row.at), String(row.run)]
      const entry = { cursor: Number(row.cursor), run: id }
      if (row.seq !== null) return { ...entry, event: eventOf(id, row) }
      const { task, attempt, data: message } = row
      const said = { task: String(task), attempt: Number(attempt), at, message: String(message) }
      return { ...entry, event: { type: 'attempt.progress', ...said } }
    })
  }

  return {
    async cursor() {
      return cursor()
    },

    async *watch(after, { run = null, signal } = {}) {
      let last = after
      for await (const _ of wakes(path, cursor, { signal })) {
        for (let entries = page(last, run); entries.length > 0 && !signal?.aborted; entries = page(last, run))
          for (const entry of entries) {
            last = entry.cursor
            yield entry
          }
      }
    },

    async entries(after, { run = null, atMost }) {
      return page(after, run, atMost)
    },

    async addProgress(run, progress) {
      // What a power cut takes of it nobody misses: it does not wait for the disk.
      db.exec('pragma synchronous = normal')
      try {
        db.transaction(() => {
          let next = nextCursor(db, progress.length)
          const insert = db.sql(
            'insert into progress (cursor, run, task, attempt, at, message) values (?, ?, ?, ?, ?, ?)',
          )
          for (const { task, attempt, at, message } of progress) insert.run(next++, run, task, attempt, at, message)
          db.sql(TRIM).run({ run, kept: LIMITS.progressKept })
        })
      } finally {
        db.exec('pragma synchronous = full')
      }
    },
  }
}

/** The first of so many numbers. Inside the transaction that writes what has them. */
export function nextCursor(db: Database, count: number): number {
  const row = db.sql('update feed set last = last + ? returning last').get(count)
  return Number(row?.last) - count + 1
}

const PAGE_ENTRIES = 500

const PAGE = `
  select cursor, run, seq, version, at, task, null as attempt, data from event
    where cursor > :after and (:run is null or run = :run)
  union all
  select cursor, run, null, null, at, task, attempt, message from progress
    where cursor > :after and (:run is null or run = :run)
  order by cursor limit :most`

const TRIM = `
  delete from progress where run = :run and cursor <=
    (select cursor from progress where run = :run order by cursor desc limit 1 offset :kept)`
