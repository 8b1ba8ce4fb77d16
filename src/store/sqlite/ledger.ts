// The tasks of plan files over all runs, on SQLite. Quick to load: `status` reads it.
import { type LedgerStore, type LedgerViews, landedTask } from '../ledger.ts'
import type { Database } from './database.ts'

export function ledgerViews(db: Database): LedgerViews {
  return {
    async landedTasks(since) {
      const rows = db.sql(LANDED).all(since)
      return rows.map(landedTask)
    },

    async planFiles() {
      const rows = db.sql('select distinct file from plan_task order by file').all()
      return rows.map(({ file }) => String(file))
    },
  }
}

export function ledger(db: Database): LedgerStore {
  return {
    async putPlanTasks(run, branch, tasks) {
      db.transaction(() => {
        const put = db.sql(PUT)
        for (const { task, file, format, part, source, says } of tasks)
          put.run({ run, branch, task, file, format, part, source, says })
        // One that is known only now may have begun already.
        for (const { task } of tasks) recordTask(db, run, task)
      })
    },

    async removedRuns() {
      const rows = db.sql(REMOVED).all()
      return rows.map(({ run, branch }) => ({ run: String(run), branch: String(branch) }))
    },

    async forgetPlanTasks(runs) {
      db.transaction(() => {
        for (const run of runs) db.sql('delete from plan_task where run = ?').run(run)
      })
    },
  }
}

/** With the status of its view. Inside the transaction that writes the view. */
export function recordTask(db: Database, run: string, task: string): void {
  db.sql(RECORD).run(run, task)
}

const LANDED = `
  select * from plan_task where status = 'landed' and ended_at > ? and landed_commit is not null
    order by run_at desc, run desc, rowid`

const PUT = `
  insert into plan_task (run, run_at, branch, task, file, format, part, source, says, status)
    select :run, created_at, :branch, :task, :file, :format, :part, :source, :says, 'pending'
      from run where id = :run
  on conflict (run, task) do update set file = :file, format = :format, part = :part, source = :source, says = :says`

const RECORD = `
  update plan_task set
    status = task.status,
    landed_commit = json_extract(task.view, '$.landedCommit'),
    ended_at = json_extract(task.view, '$.finishedAt')
  from task
  where plan_task.run = ? and plan_task.task = ? and task.run = plan_task.run and task.id = plan_task.task`

const REMOVED = `
  select run, branch from plan_task where run not in (select id from run) group by run order by max(run_at) desc`
