// Runs and their journals, on SQLite.
import { eventSchema } from '../../event.ts'
import type { JournalStore } from '../store.ts'
import { journalVersion, UPCASTS, type UpcastStep, upcast } from '../upcast.ts'
import type { Database } from './database.ts'
import { checkedValue, DamagedRow, isObject, NewerJournal, parseJson } from './row.ts'

/** `steps`: those that lead from the first version of the journal to the one that is written. */
export function journal(db: Database, steps: readonly UpcastStep[] = UPCASTS): JournalStore {
  const version = journalVersion(steps)
  /** The fact of an event, in today's language. */
  const factOf = (row: { version: unknown; data: unknown }, what: string) => {
    if (Number(row.version) > version) throw new NewerJournal(what)
    const fact = parseJson(row.data, what)
    if (!isObject(fact)) throw new DamagedRow(what)
    return checkedValue(eventSchema, upcast(fact, Number(row.version), steps), what)
  }

  return {
    async createRun({ id, name, repo, planFile, createdAt, plan, settings }) {
      const columns = 'id, name, repo, plan_file, created_at, plan, settings, journal_version'
      const values = [id, name, repo, planFile, createdAt, JSON.stringify(plan), JSON.stringify(settings), version]
      db.sql(`insert into run (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?)`).run(...values)
    },

    async append(run, events, changes) {
      return db.transaction(() => {
        const newest = Number(db.sql('select max(seq) as seq from event where run = ?').get(run)?.seq ?? 0)
        if (events.some(({ seq }) => seq <= newest)) return 'fenced'
        const insert = db.sql(
          'insert into event (run, seq, version, at, type, task, data) values (?, ?, ?, ?, ?, ?, ?)',
        )
        for (const event of events) {
          const { seq, at, ...fact } = event
          const checked = eventSchema.parse(fact)
          const task = 'task' in checked ? checked.task : null
          insert.run(run, seq, version, at, checked.type, task, JSON.stringify(checked))
        }
        const task = db.sql('insert or replace into task (run, id, status, view) values (?, ?, ?, ?)')
        for (const view of changes.tasks) task.run(run, view.id, view.status, JSON.stringify(view))
        const view = JSON.stringify(changes.run)
        db.sql('update run set view = ?, journal_version = ? where id = ?').run(view, version, run)
        if (changes.plan) db.sql('update run set current_plan = ? where id = ?').run(JSON.stringify(changes.plan), run)
        return 'written'
      })
    },

    async events(run, after = 0, atMost = -1) {
      const sql = 'select seq, version, at, data from event where run = ? and seq > ? order by seq limit ?'
      const rows = db.sql(sql).all(run, after, atMost)
      return rows.map((row) => ({
        ...factOf({ version: row.version, data: row.data }, `event ${row.seq} of run ${run}`),
        seq: Number(row.seq),
        at: Number(row.at),
      }))
    },

    async deleteRun(run) {
      db.sql('delete from run where id = ?').run(run)
    },
  }
}
