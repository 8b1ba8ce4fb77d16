// Runs and their journals, on SQLite.
import { eventSchema } from '../../event.ts'
import type { JournalStore } from '../store.ts'
import type { Database } from './database.ts'
import { checkedRow } from './row.ts'

export function journal(db: Database): JournalStore {
  return {
    async createRun({ id, name, repo, planFile, createdAt, plan, settings }) {
      const sql = 'insert into run (id, name, repo, plan_file, created_at, plan, settings) values (?, ?, ?, ?, ?, ?, ?)'
      db.sql(sql).run(id, name, repo, planFile, createdAt, JSON.stringify(plan), JSON.stringify(settings))
    },

    async append(run, events, changes) {
      return db.transaction(() => {
        const newest = Number(db.sql('select max(seq) as seq from event where run = ?').get(run)?.seq ?? 0)
        if (events.some(({ seq }) => seq <= newest)) return 'fenced'
        const insert = db.sql('insert into event (run, seq, at, type, task, data) values (?, ?, ?, ?, ?, ?)')
        for (const event of events) {
          const { seq, at, ...fact } = event
          const checked = eventSchema.parse(fact)
          insert.run(run, seq, at, checked.type, 'task' in checked ? checked.task : null, JSON.stringify(checked))
        }
        const task = db.sql('insert or replace into task (run, id, status, view) values (?, ?, ?, ?)')
        for (const view of changes.tasks) task.run(run, view.id, view.status, JSON.stringify(view))
        db.sql('update run set view = ? where id = ?').run(JSON.stringify(changes.run), run)
        if (changes.plan) db.sql('update run set current_plan = ? where id = ?').run(JSON.stringify(changes.plan), run)
        return 'written'
      })
    },

    async events(run, after = 0, atMost = -1) {
      const sql = 'select seq, at, data from event where run = ? and seq > ? order by seq limit ?'
      const rows = db.sql(sql).all(run, after, atMost)
      return rows.map((row) => ({
        ...checkedRow(eventSchema, row.data, `event ${row.seq} of run ${run}`),
        seq: Number(row.seq),
        at: Number(row.at),
      }))
    },

    async deleteRun(run) {
      db.sql('delete from run where id = ?').run(run)
    },
  }
}
