// Runs, their journals, and the feed over all of them.
//
// Events and progress share one counter, which is locked until the transaction that raises it is over: a reader never sees an
// entry with a lower number later.
import { LIMITS } from '../config.ts'
import { type Event, eventSchema, type Progress } from '../event.ts'
import { parsedJson } from '../text/json.ts'
import type { RunSummary, TaskView } from '../view.ts'
import { type Database, insert, put, type Row, type Statements } from './database.ts'
import { recordTasks } from './plan-tasks.ts'
import { checkedValue, factOf, JOURNAL_VERSION as version } from './read-row.ts'
import { sql } from './sql.ts'
import type { RunRecord } from './views.ts'

/** Cursors increase over all runs and are never reused. */
export type FeedEntry = { cursor: number; run: string; event: Event | Progress }

export function journal(db: Database) {
  const { newestSeq, keepNewestSeq, runLock } = db.words
  const eventOf = (run: string, row: Row): Event => {
    const what = `event ${row.seq} of run ${run}`
    const fact = checkedValue(eventSchema, factOf(row, what), what)
    return { ...fact, seq: Number(row.seq), at: Number(row.at) }
  }

  const entryOf = (row: Row): FeedEntry => {
    const run = String(row.run)
    const entry = { cursor: Number(row.cursor), run }
    if (row.seq !== null) return { ...entry, event: eventOf(run, row) }
    const about = { task: String(row.task), attempt: Number(row.attempt), at: Number(row.at) }
    return { ...entry, event: { type: 'attempt.progress', ...about, message: messageIn(String(row.data)) } }
  }

  /** Reads a page with one statement, so from one state of the database. */
  const page = (after: number, run: string | undefined, most: number): Promise<FeedEntry[]> => {
    const which = run === undefined ? sql`` : sql`and run = ${run}`
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
    async createRun(run: RunRecord) {
      const { id, name, repo, planFile: plan_file, createdAt: created_at, plan, settings } = run
      const texts = { plan: JSON.stringify(plan), settings: JSON.stringify(settings) }
      await db.write(function* () {
        yield insert('run', [{ id, name, repo, plan_file, created_at, ...texts, journal_version: version }])
        // A removed run may have had the same name.
        yield sql`delete from plan_task where run = ${id}`
      })
    },

    /** 'fenced': another writer has taken one of the numbers and owns the run now. */
    async append(run: string, events: Event[], changes: { run: RunSummary; tasks: TaskView[] }) {
      const rows = events.map(({ seq, at, ...fact }) => {
        const checked = eventSchema.parse(fact)
        const task = 'task' in checked ? checked.task : null
        return { cursor: 0, run, seq, version, at, type: checked.type, task, data: JSON.stringify(checked) }
      })
      const view = JSON.stringify(changes.run)
      const tasks = [...new Map(changes.tasks.map((task) => [task.id, task])).values()]
      const first = events.reduce((least, { seq }) => Math.min(least, seq), Number.MAX_SAFE_INTEGER)
      const last = events.reduce((most, { seq }) => Math.max(most, seq), 0)
      return db.write(function* (): Statements<'written' | 'fenced'> {
        if (!(yield* isOurs(db))) return 'fenced'
        // Locks the row: no other process appends to the run until the commit.
        const [row] = yield sql`select ${newestSeq} as newest from run where id = ${run} ${runLock}`
        if (!row) throw new Error(`there is no run ${run}`)
        if (Number(row.newest) >= first) return 'fenced'
        // Takes a number even without events: tasks may change alone.
        let cursor = yield* db.take('feed', Math.max(rows.length, 1))
        const newest = cursor + Math.max(rows.length, 1) - 1
        for (const row of rows) row.cursor = cursor++
        yield insert('event', rows)
        const views = tasks.map((task) => {
          return { run, id: task.id, status: task.status, cursor: newest, view: JSON.stringify(task) }
        })
        yield put('task', ['run', 'id'], views)
        const ids = tasks.map(({ id }) => id)
        if (ids.length > 0) yield recordTasks(db, run, ids)
        // Updated last: SQLite takes longer for statements that follow a change of so large a row.
        yield sql`update run set view = ${view}, journal_version = ${version}${keepNewestSeq(last)} where id = ${run}`
        return 'written'
      })
    },

    events(run: string, after = 0, atMost = Number.MAX_SAFE_INTEGER) {
      const query = sql`select seq, version, at, data from event where run = ${run} and seq > ${after}
        order by seq limit ${atMost}`
      return db.all(query, (row) => eventOf(run, row))
    },

    /** Deletes a run with all its data, except for its landed tasks of plan files. */
    async deleteRun(run: string) {
      await db.write(function* () {
        yield sql`delete from run where id = ${run}`
        yield sql`delete from plan_task where run = ${run} and status <> 'landed'`
      })
    },

    /** The number of the newest entry; 0: there is none. */
    async cursor() {
      return Number((await db.all(sql`select last from ${db.words.feed}`))[0]?.last)
    },

    /** Yields all entries after a cursor, then new ones, until the signal. Only the newest progress of each run is kept. */
    async *watch(
      after: number,
      { run, signal }: { run?: string | undefined; signal?: AbortSignal | undefined } = {},
    ): AsyncGenerator<FeedEntry, void, void> {
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

    /** Existing entries after a cursor, from the oldest. */
    entries: (after: number, { run, atMost }: { run?: string | undefined; atMost: number }) => page(after, run, atMost),

    async addProgress(run: string, progress: readonly Progress[]) {
      const work = function* () {
        let next = yield* db.take('feed', progress.length)
        const rows = progress.map(({ type: _, message, ...about }) => {
          return { cursor: next++, run, ...about, message: JSON.stringify(message) }
        })
        yield insert('progress', rows)
        yield sql`delete from progress where run = ${run} and cursor <= (select cursor from progress where run = ${run}
          order by cursor desc limit 1 offset ${LIMITS.progressKept})`
      }
      // Does not wait for the disk: progress may be lost in a power cut.
      await db.write(work, { isLazy: true })
    },
  }
}

function* isOurs({ lead, words }: Database): Statements<boolean> {
  if (lead.epoch === null) return true
  const [row] = yield sql`select epoch from lead ${words.epochLock}`
  if (row?.epoch === lead.epoch) return true
  lead.fence()
  return false
}

/** Messages are stored as JSON, because Postgres cannot hold NUL. Older versions wrote plain text into SQLite. */
function messageIn(text: string): string {
  const message = parsedJson(text)
  return typeof message === 'string' ? message : text
}

const PAGE_ENTRIES = 500
