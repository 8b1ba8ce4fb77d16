// The tasks of plan files over all runs, on Postgres.
import { type LedgerStore, type LedgerViews, landedTask } from '../ledger.ts'
import type { Sql } from './connection.ts'
import type { Database } from './database.ts'

export function ledgerViews(db: Database): LedgerViews {
  return {
    async landedTasks(since) {
      const rows = await db.sql(LANDED, [since])
      return rows.map(landedTask)
    },

    async planFiles() {
      const rows = await db.sql('select distinct file collate "C" as file from plan_task order by 1')
      return rows.map(({ file }) => String(file))
    },
  }
}

export function ledger(db: Database): LedgerStore {
  return {
    async putPlanTasks(run, branch, tasks) {
      await db.write(async (sql) => {
        const given = [...new Map(tasks.map((one) => [one.task, one])).values()]
        const column = <K extends keyof (typeof given)[number]>(name: K) => given.map((one) => one[name])
        const names = ['task', 'file', 'format', 'part', 'source', 'says'] as const
        await sql(PUT, [run, branch, ...names.map(column)])
        // One that is known only now may have begun already.
        await recordTasks(sql, run, column('task'))
      })
    },

    async removedRuns() {
      const rows = await db.sql(REMOVED)
      return rows.map(({ run, branch }) => ({ run: String(run), branch: String(branch) }))
    },

    async forgetPlanTasks(runs) {
      await db.write((sql) => sql('delete from plan_task where run = any($1)', [runs]))
    },
  }
}

/** With the statuses of their views. Inside the transaction that writes the views. */
export async function recordTasks(sql: Sql, run: string, tasks: readonly string[]): Promise<void> {
  await sql(RECORD, [run, tasks])
}

const LANDED = `
  select * from plan_task where status = 'landed' and ended_at > $1 and landed_commit is not null
    order by run_at desc, run desc, number`

const PUT = `
  insert into plan_task (run, run_at, branch, task, file, format, part, source, says, status)
    select $1, run.created_at, $2, given.*, 'pending'
      from run, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        as given(task, file, format, part, source, says)
      where run.id = $1
  on conflict (run, task) do update set file = excluded.file, format = excluded.format, part = excluded.part,
    source = excluded.source, says = excluded.says`

const RECORD = `
  update plan_task set
    status = task.status,
    landed_commit = task.view::json ->> 'landedCommit',
    ended_at = (task.view::json ->> 'finishedAt')::bigint
  from task
  where plan_task.run = $1 and plan_task.task = any($2) and task.run = plan_task.run and task.id = plan_task.task`

const REMOVED = `
  select run, min(branch) as branch from plan_task where run not in (select id from run) group by run
    order by max(run_at) desc`
