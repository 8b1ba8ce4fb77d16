// The tasks of plan files over all runs, on Postgres.
import type { TaskStatus } from '../../status.ts'
import type { LedgerStore, LedgerViews, PlanTask, PlanTaskQuery } from '../ledger.ts'
import type { Row, Sql } from './connection.ts'
import type { Database } from './database.ts'

export function ledgerViews(db: Database): LedgerViews {
  return {
    async planTasks(query) {
      const { where, values } = conditions(query)
      const rows = await db.sql(`select * from plan_task ${where} order by run_at desc, run desc, number`, values)
      return rows.map(planTask)
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
        await sql(PUT, [
          ...[run, branch, column('task'), column('file'), column('format'), column('part')],
          ...[column('source'), column('says'), column('numberless')],
        ])
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

/** As their views say they stand. Inside the transaction that writes the views. */
export async function recordTasks(sql: Sql, run: string, tasks: readonly string[]): Promise<void> {
  await sql(RECORD, [run, tasks])
}

const PUT = `
  insert into plan_task (run, run_at, branch, task, file, format, part, source, says, numberless, status)
    select $1, run.created_at, $2, given.*, 'pending'
      from run, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
        as given(task, file, format, part, source, says, numberless)
      where run.id = $1
  on conflict (run, task) do update set file = excluded.file, format = excluded.format, part = excluded.part,
    source = excluded.source, says = excluded.says, numberless = excluded.numberless`

const RECORD = `
  update plan_task set
    status = task.status,
    landed_commit = task.view::json ->> 'landedCommit',
    begun_at = (task.view::json #>> '{history,-1,startedAt}')::bigint,
    ended_at = (task.view::json ->> 'finishedAt')::bigint
  from task
  where plan_task.run = $1 and plan_task.task = any($2) and task.run = plan_task.run and task.id = plan_task.task`

const REMOVED = `
  select run, min(branch) as branch from plan_task where run not in (select id from run) group by run
    order by max(run_at) desc`

function conditions({ run, besides, format, statuses, begunAfter, endedAfter }: PlanTaskQuery) {
  const all: [string, unknown][] = []
  if (run !== undefined) all.push(['run = ?', run])
  if (besides !== undefined) all.push(['run <> ?', besides])
  if (format !== undefined) all.push(['format = ?', format])
  if (statuses !== undefined) all.push(['status = any(?)', statuses])
  if (begunAfter !== undefined) all.push(['begun_at > ?', begunAfter])
  if (endedAfter !== undefined) all.push(['ended_at > ?', endedAfter])
  const parts = all.map(([text], index) => text.replace('?', `$${index + 1}`))
  return { where: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, values: all.map(([, value]) => value) }
}

function planTask(row: Row): PlanTask {
  const text = (value: unknown) => (value === null ? null : String(value))
  const time = (value: unknown) => (value === null ? null : Number(value))
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
