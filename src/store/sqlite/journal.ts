// Runs and their journals, on SQLite.
import { type Event, eventSchema } from '../../event.ts'
import { checkedValue, factOf } from '../row.ts'
import type { JournalStore } from '../store.ts'
import { journalVersion, type UpcastStep } from '../upcast.ts'
import type { Database } from './database.ts'
import { type EventOfRow, nextCursor } from './feed.ts'
import { recordTask } from './ledger.ts'

/** `steps`: those that lead from the first version of the journal to the one that is written. */
export function journal(
  db: Database,
  isOurs: () => boolean,
  steps: readonly UpcastStep[],
): JournalStore & { eventOf: EventOfRow } {
  const version = journalVersion(steps)
  const eventOf: EventOfRow = (run, row) => {
    const what = `event ${row.seq} of run ${run}`
    const fact = checkedValue(eventSchema, factOf(row, what, steps), what)
    return { ...fact, seq: Number(row.seq), at: Number(row.at) }
  }

  return {
    eventOf,

    async createRun({ id, name, repo, planFile, createdAt, plan, settings }) {
      const columns = 'id, name, repo, plan_file, created_at, plan, settings, journal_version'
      const values = [id, name, repo, planFile, createdAt, JSON.stringify(plan), JSON.stringify(settings), version]
      db.transaction(() => {
        db.sql(`insert into run (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?)`).run(...values)
        // One that was removed may have had the same name.
        db.sql('delete from plan_task where run = ?').run(id)
      })
    },

    async append(run, events, changes) {
      return db.transaction(() => {
        if (!isOurs()) return 'fenced'
        const newest = Number(db.sql('select max(seq) as seq from event where run = ?').get(run)?.seq ?? 0)
        if (events.some(({ seq }) => seq <= newest)) return 'fenced'
        const columns = 'cursor, run, seq, version, at, type, task, data'
        const insert = db.sql(`insert into event (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?)`)
        let next = nextCursor(db, events.length)
        for (const event of events) {
          const { seq, at, ...fact } = event
          const checked = eventSchema.parse(fact)
          const task = 'task' in checked ? checked.task : null
          insert.run(next++, run, seq, version, at, checked.type, task, JSON.stringify(checked))
        }
        const last = events.length > 0 ? next - 1 : nextCursor(db, 1)
        const task = db.sql('insert or replace into task (run, id, status, cursor, view) values (?, ?, ?, ?, ?)')
        for (const view of changes.tasks) {
          task.run(run, view.id, view.status, last, JSON.stringify(view))
          recordTask(db, run, view.id)
        }
        const view = JSON.stringify(changes.run)
        db.sql('update run set view = ?, journal_version = ? where id = ?').run(view, version, run)
        return 'written'
      })
    },

    async events(run, after = 0, atMost = -1) {
      const sql = 'select seq, version, at, data from event where run = ? and seq > ? order by seq limit ?'
      const events: Event[] = []
      // One row at a time: rows that live until the last one is read cost more to keep than to read.
      for (const row of db.sql(sql).iterate(run, after, atMost)) events.push(eventOf(run, row))
      return events
    },

    async deleteRun(run) {
      db.transaction(() => {
        db.sql('delete from run where id = ?').run(run)
        db.sql("delete from plan_task where run = ? and status <> 'landed'").run(run)
      })
    },
  }
}
