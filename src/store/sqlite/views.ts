// Reading what the store derived from the journal. Kept apart from the journal itself: `espalier status` needs this and
// nothing else, and has to answer at once.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { ok, type Result } from '../../problem.ts'
import type { ListedRun, RunSummary, TaskStatus, TaskView } from '../../status.ts'
import type { Plan } from '../../task.ts'
import type { RunRecord, Views } from '../store.ts'
import { openDatabase } from './open.ts'
import { fromRow, isAdded, isPlan, isSettings, isSummary, isTaskView } from './row.ts'

export function openSqliteViews(path: string): Result<Views & AsyncDisposable> {
  const opened = openDatabase(path, 'read')
  return opened.ok ? ok(new SqliteViews(opened.value)) : opened
}

export class SqliteViews implements Views {
  protected readonly db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.db = db
  }

  async runIds(): Promise<string[]> {
    const rows = this.sql('select id from run').all()
    return rows.map((row) => String(row.id))
  }

  async runs(): Promise<ListedRun[]> {
    const sql = 'select view, plan_file from run where view is not null order by created_at desc, rowid desc'
    return this.sql(sql)
      .all()
      .map(({ view, plan_file }) => ({
        ...fromRow(view, 'a run', isSummary),
        ...(plan_file === null ? {} : { planFile: String(plan_file) }),
      }))
  }

  async run(id: string): Promise<RunRecord | null> {
    const row = this.sql('select * from run where id = ?').get(id)
    if (!row) return null
    const plan = fromRow(row.plan, `the plan of run ${id}`, isPlan)
    const replanned = row.current_plan === null ? plan : fromRow(row.current_plan, `the plan of run ${id}`, isPlan)
    return {
      id,
      name: String(row.name),
      repo: String(row.repo),
      planFile: row.plan_file === null ? null : String(row.plan_file),
      createdAt: Number(row.created_at),
      plan,
      currentPlan: this.#grown(id, replanned),
      settings: fromRow(row.settings, `the settings of run ${id}`, isSettings),
    }
  }

  /** Written anew with every addition, a large plan would cost more than all that happens in its run. */
  #grown(run: string, plan: Plan): Plan {
    const sql = `select seq, case type when 'tasks.added' then data end as data from event indexed by event_of_plan
      where run = ? and type in ('run.replanned', 'tasks.added') order by seq`
    const rows = this.sql(sql).all(run)
    const since = rows.slice(rows.findLastIndex(({ data }) => data === null) + 1)
    if (since.length === 0) return plan
    const added = since.map(({ seq, data }) => fromRow(data, `event ${seq} of run ${run}`, isAdded))
    const [tasks, epics] = [added.flatMap((one) => one.tasks), added.flatMap((one) => one.epics)]
    return { ...plan, tasks: [...plan.tasks, ...tasks], epics: [...plan.epics, ...epics] }
  }

  async view(run: string): Promise<RunSummary | null> {
    const row = this.sql('select view from run where id = ?').get(run)
    return row?.view ? fromRow(row.view, `run ${run}`, isSummary) : null
  }

  async tasks(run: string, status?: TaskStatus): Promise<Map<string, TaskView>> {
    const which = status === undefined ? '' : ' and status = ?'
    const values = status === undefined ? [run] : [run, status]
    const rows = this.sql(`select id, view from task where run = ?${which}`).all(...values)
    return new Map(rows.map((row) => [String(row.id), fromRow(row.view, `task ${row.id}`, isTaskView)]))
  }

  async task(run: string, id: string): Promise<TaskView | null> {
    const row = this.sql('select view from task where run = ? and id = ?').get(run, id)
    return row ? fromRow(row.view, `task ${id}`, isTaskView) : null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#statements.clear()
    if (this.db.isOpen) this.db.close()
  }

  protected sql(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.db.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }
}
