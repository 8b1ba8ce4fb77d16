// Runs and their journals.
import { eventSchema } from '../event.ts'
import { type Database, insert, put, type Work } from './database.ts'
import type { EventOfRow } from './feed.ts'
import { recordTasks } from './ledger.ts'
import { checkedValue, factOf } from './row.ts'
import { sql } from './sql.ts'
import type { JournalStore } from './store.ts'
import { journalVersion, type UpcastStep } from './upcast.ts'

/** `steps`: those that lead from the first version of the journal to the one that is written. */
export function journal(db: Database, steps: readonly UpcastStep[]): JournalStore & { eventOf: EventOfRow } {
  const version = journalVersion(steps)
  const { newestSeq, keepNewestSeq, runLock } = db.words
  const eventOf: EventOfRow = (run, row) => {
    const what = `event ${row.seq} of run ${run}`
    const fact = checkedValue(eventSchema, factOf(row, what, steps), what)
    return { ...fact, seq: Number(row.seq), at: Number(row.at) }
  }

  return {
    eventOf,

    async createRun({ id, name, repo, planFile: plan_file, createdAt: created_at, plan, settings }) {
      const texts = { plan: JSON.stringify(plan), settings: JSON.stringify(settings) }
      await db.write(function* () {
        yield insert('run', [{ id, name, repo, plan_file, created_at, ...texts, journal_version: version }])
        // One that was removed may have had the same name.
        yield sql`delete from plan_task where run = ${id}`
      })
    },

    async append(run, events, changes) {
      const rows = events.map(({ seq, at, ...fact }) => {
        const checked = eventSchema.parse(fact)
        const task = 'task' in checked ? checked.task : null
        return { cursor: 0, run, seq, version, at, type: checked.type, task, data: JSON.stringify(checked) }
      })
      const view = JSON.stringify(changes.run)
      const tasks = [...new Map(changes.tasks.map((task) => [task.id, task])).values()]
      const first = events.reduce((least, { seq }) => Math.min(least, seq), Number.MAX_SAFE_INTEGER)
      const last = events.reduce((most, { seq }) => Math.max(most, seq), 0)
      return db.write(function* () {
        if (!(yield* isOurs(db))) return 'fenced'
        // From here on the row is this transaction's: nobody else appends to the run.
        const [row] = yield sql`select ${newestSeq} as newest from run where id = ${run} ${runLock}`
        if (!row) throw new Error(`there is no run ${run}`)
        if (Number(row.newest) >= first) return 'fenced'
        // An append without events may still change tasks.
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
        // Last: SQLite takes longer for all that follows a change of so large a row.
        yield sql`update run set view = ${view}, journal_version = ${version}${keepNewestSeq(last)} where id = ${run}`
        return 'written'
      })
    },

    events(run, after = 0, atMost = Number.MAX_SAFE_INTEGER) {
      const query = sql`select seq, version, at, data from event where run = ${run} and seq > ${after}
        order by seq limit ${atMost}`
      return db.all(query, (row) => eventOf(run, row))
    },

    async deleteRun(run) {
      await db.write(function* () {
        yield sql`delete from run where id = ${run}`
        yield sql`delete from plan_task where run = ${run} and status <> 'landed'`
      })
    },
  }
}

function* isOurs({ lead, words }: Database): Work<boolean> {
  if (lead.epoch === null) return true
  const [row] = yield sql`select epoch from lead ${words.epochLock}`
  if (row?.epoch === lead.epoch) return true
  lead.fence()
  return false
}
