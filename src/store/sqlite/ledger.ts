// The tasks of plan files over all runs, on SQLite. Quick to load: `status` reads it.
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { TaskStatus } from '../../status.ts'
import type { LedgerStore, LedgerViews, PlanTask, PlanTaskQuery } from '../ledger.ts'
import type { Database } from './database.ts'

export function ledgerViews(db: Database): LedgerViews {
  return {
    async planTasks(query) {
      const { where, values } = conditions(query)
      const rows = db.sql(`select * from plan_task ${where} order by run_at desc, run desc, rowid`).all(...values)
      return rows.map(planTask)
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
        for (const { task, file, format, part, source, says, numberless } of tasks)
          put.run({ run, branch, task, file, format, part, source, says, numberless })
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

/** As its view says it stands. Inside the transaction that writes the view. */
export function recordTask(db: Database, run: string, task: string): void {
  db.sql(RECORD).run(run, task)
}

const PUT = `
  insert into plan_task (run, run_at, branch, task, file, format, part, source, says, numberless, status)
    select :run, created_at, :branch, :task, :file, :format, :part, :source, :says, :numberless, 'pending'
      from run where id = :run
  on conflict (run, task) do update set file = :file, format = :format, part = :part, source = :source, says = :says,
    numberless = :numberless`

const RECORD = `
  update plan_task set
    status = task.status,
    landed_commit = json_extract(task.view, '$.landedCommit'),
    begun_at = json_extract(task.view, '$.history[#-1].startedAt'),
    ended_at = json_extract(task.view, '$.finishedAt')
  from task
  where plan_task.run = ? and plan_task.task = ? and task.run = plan_task.run and task.id = plan_task.task`

const REMOVED = `
  select run, branch from plan_task where run not in (select id from run) group by run order by max(run_at) desc`

function conditions({ run, besides, format, statuses, begunAfter, endedAfter }: PlanTaskQuery) {
  const all: [string, SQLInputValue][] = []
  if (run !== undefined) all.push(['run = ?', run])
  if (besides !== undefined) all.push(['run <> ?', besides])
  if (format !== undefined) all.push(['format = ?', format])
  if (statuses !== undefined) all.push(['status in (select value from json_each(?))', JSON.stringify(statuses)])
  if (begunAfter !== undefined) all.push(['begun_at > ?', begunAfter])
  if (endedAfter !== undefined) all.push(['ended_at > ?', endedAfter])
  const where = all.length === 0 ? '' : `where ${all.map(([sql]) => sql).join(' and ')}`
  return { where, values: all.map(([, value]) => value) }
}

function planTask(row: Record<string, SQLOutputValue>): PlanTask {
  const text = (value: SQLOutputValue | undefined) => (value === null ? null : String(value))
  const time = (value: SQLOutputValue | undefined) => (value === null ? null : Number(value))
  return {
    run: String(row.run),
    runAt: Number(row.run_at),
    branch: String(row.branch),
    task: String(row.task),
    file: String(row.file),
    format: String(row.format),
    part: text(row.part),
    source: String(row.source),
    says: String(row.says),
    numberless: text(row.numberless),
    status: String(row.status) as TaskStatus,
    commit: text(row.landed_commit),
    begunAt: time(row.begun_at),
    endedAt: time(row.ended_at),
  }
}
