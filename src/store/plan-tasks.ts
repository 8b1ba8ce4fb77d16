// The tasks of plan files over all runs: which run had which task, and the commit that landed it. Plan files outlive runs, and so
// do these rows: landed tasks of a removed run stay known.
//
// - The status of a task is written in the same transaction as its view, so the two never differ.
// - A file has the same name in every checkout of a repository (`planFileName` in engine/plan-file/saved-tasks.ts).
import { type Database, fieldsOf, insert } from './database.ts'
import { type Query, sql } from './sql.ts'

export type FileTask = {
  file: string
  format: string
  /** The part that `--part` named. */
  part: string | null
  source: string
  /** The hash of the task's text. */
  says: string
}

export type LandedTask = FileTask & {
  run: string
  runAt: number
  branch: string
  task: string
  /** The commit that landed it on the branch of the run. */
  commit: string
}

export function ledgerViews(db: Database) {
  return {
    /** Tasks of these plan files that landed after `since`, those of the newest run first. */
    landedTasks(files: readonly string[], since = 0) {
      const query = sql`select run, run_at as "runAt", branch, task, file, format, part, source, says,
        landed_commit as "commit" from plan_task
        where file ${db.words.isOneOf(files)} and status = 'landed' and ended_at > ${since} and landed_commit is not null
        order by run_at desc, run desc, ${db.words.order}`
      return db.all(query, fieldsOf<LandedTask>)
    },

    planFiles() {
      const query = sql`select file from plan_task group by file order by file ${db.words.byBytes}`
      return db.all(query, ({ file }) => String(file))
    },
  }
}

export function ledger(db: Database) {
  return {
    /** Records the tasks in the plan file of a run. Known statuses stay. */
    async putPlanTasks(run: string, branch: string, tasks: readonly (FileTask & { task: string })[]) {
      const given = [...new Map(tasks.map((one) => [one.task, one])).values()]
      await db.write(function* () {
        const [row] = yield sql`select created_at from run where id = ${run}`
        if (!row || given.length === 0) return
        const rows = given.map(({ task, file, format, part, source, says }) => {
          const about = { run, run_at: row.created_at, branch, task }
          return { ...about, file, format, part, source, says, status: 'pending' }
        })
        const changed = ['file', 'format', 'part', 'source', 'says'].map((name) => `${name} = excluded.${name}`)
        yield insert('plan_task', rows, `on conflict (run, task) do update set ${changed.join(', ')}`)
        // A newly recorded task may have begun already.
        const ids = given.map(({ task }) => task)
        yield recordTasks(db, run, ids)
      })
    },

    /** Removed runs of which landed tasks are still known, the newest first. */
    removedRuns() {
      const query = sql`select run, min(branch) as branch from plan_task where run not in (select id from run)
        group by run order by max(run_at) desc`
      return db.all(query, fieldsOf<{ run: string; branch: string }>)
    },

    async forgetPlanTasks(runs: readonly string[]) {
      await db.write(function* () {
        yield sql`delete from plan_task where run ${db.words.isOneOf(runs)}`
      })
    },
  }
}

/** Copies statuses from the views of these tasks. Runs in the transaction that writes the views. */
export function recordTasks({ words }: Database, run: string, tasks: readonly string[]): Query {
  return sql`update plan_task set
      status = task.status,
      landed_commit = task.view${words.json} ->> 'landedCommit',
      ended_at = cast(task.view${words.json} ->> 'finishedAt' as bigint)
    from task
    where plan_task.run = ${run} and plan_task.task ${words.isOneOf(tasks)}
      and task.run = plan_task.run and task.id = plan_task.task`
}
