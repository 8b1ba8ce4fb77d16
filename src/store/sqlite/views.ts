// Reading what the store derived from the journal. Kept apart from the journal itself: `espalier status` needs this and
// nothing else, has to answer at once, and loads no schemas.
import { ok, type Result } from '../../problem.ts'
import type { TaskStatus } from '../../status.ts'
import type { Plan } from '../../task.ts'
import type { ListedRun, RunSummary, TaskView } from '../../view.ts'
import { planByRows } from '../plan-by-journal.ts'
import { fromRow, isPlan, isSettings, isSummary, parseJson, taskFromRow } from '../row.ts'
import type { RunRecord, Views } from '../store.ts'
import { UPCASTS } from '../upcast.ts'
import type { Database } from './database.ts'
import { ledgerViews } from './ledger.ts'
import { emptyDatabase, openDatabase } from './open.ts'
import { wakes } from './wake.ts'

export function openSqliteViews(path: string): Result<Views & AsyncDisposable> {
  const opened = openDatabase(path, 'read')
  if (!opened.ok) return opened
  return ok(viewsOf(opened.value, path))
}

/** Of a store that is not there yet. */
export function emptyViews(): Views & AsyncDisposable {
  return viewsOf(emptyDatabase(), IN_MEMORY)
}

function viewsOf(db: Database, path: string): Views & AsyncDisposable {
  return { ...views(db, path), [Symbol.asyncDispose]: async () => db[Symbol.dispose]() }
}

/** Nobody else writes it, so nobody is woken. */
export const IN_MEMORY = ':memory:'

export function views(db: Database, path: string, steps = UPCASTS): Views {
  const versionOf = (run: string) => () =>
    Number(db.sql('select journal_version from run where id = ?').get(run)?.journal_version ?? 0)

  const currentPlan = (run: string, first: Plan): Plan => {
    const sql = `select seq, version, data from event indexed by event_of_plan
      where run = ? and type in ('run.replanned', 'tasks.added') and seq >= coalesce((select max(seq) from event
        indexed by event_of_plan where run = ? and type in ('run.replanned', 'tasks.added') and type = 'run.replanned'), 0)
      order by seq`
    return planByRows(run, first, db.sql(sql).all(run, run), steps)
  }

  return {
    ...ledgerViews(db),
    isBeingMade: db.isStandIn,
    leading: async () => null,

    async damage(): Promise<string | null> {
      const said = String(db.sql('pragma quick_check(1)').get()?.quick_check)
      return said === 'ok' ? null : said
    },

    async runIds(): Promise<string[]> {
      const rows = db.sql('select id from run').all()
      return rows.map((row) => String(row.id))
    },

    async runs(atMost = -1): Promise<ListedRun[]> {
      const sql =
        'select id, view, plan_file from run where view is not null order by created_at desc, rowid desc limit ?'
      const rows = db.sql(sql).all(atMost)
      return rows.map(({ id, view, plan_file }) => ({
        ...fromRow(view, `run ${id}`, isSummary, versionOf(String(id))),
        ...(plan_file === null ? {} : { planFile: String(plan_file) }),
      }))
    },

    async run(id): Promise<RunRecord | null> {
      const row = db.sql('select * from run where id = ?').get(id)
      if (!row) return null
      const plan = fromRow(row.plan, `the plan of run ${id}`, isPlan, versionOf(id))
      return {
        id,
        name: String(row.name),
        repo: String(row.repo),
        planFile: row.plan_file === null ? null : String(row.plan_file),
        createdAt: Number(row.created_at),
        plan,
        currentPlan: currentPlan(id, plan),
        settings: fromRow(row.settings, `the settings of run ${id}`, isSettings, versionOf(id)),
      }
    },

    async firstPlan(id): Promise<Plan | null> {
      const row = db.sql('select plan from run where id = ?').get(id)
      return row ? fromRow(row.plan, `the plan of run ${id}`, isPlan, versionOf(id)) : null
    },

    async view(run): Promise<RunSummary | null> {
      const row = db.sql('select view from run where id = ?').get(run)
      return row?.view ? fromRow(row.view, `run ${run}`, isSummary, versionOf(run)) : null
    },

    async tasks(run, status?: TaskStatus): Promise<Map<string, TaskView>> {
      const which = status === undefined ? '' : ' and status = ?'
      const values = status === undefined ? [run] : [run, status]
      const rows = db.sql(`select id, view from task where run = ?${which}`).all(...values)
      const viewOf = (id: unknown, text: unknown) => taskFromRow(text, run, id, versionOf(run))
      return new Map(rows.map((row) => [String(row.id), viewOf(row.id, row.view)]))
    },

    async changedTasks(run, after): Promise<{ cursor: number; tasks: TaskView[] }> {
      // First: what is written meanwhile is given again the next time.
      const cursor = Number(db.sql('select last from feed').get()?.last ?? 0)
      const rows = db.sql('select id, view from task where run = ? and cursor > ?').all(run, after)
      const tasks = rows.map(({ id, view }) => taskFromRow(view, run, id, versionOf(run)))
      return { cursor, tasks }
    },

    async task(run, id): Promise<TaskView | null> {
      const row = db.sql('select view from task where run = ? and id = ?').get(run, id)
      return row ? taskFromRow(row.view, run, id, versionOf(run)) : null
    },

    async note(run, name): Promise<unknown> {
      const row = db.sql('select data from note where run = ? and name = ?').get(run, name)
      return row ? parseJson(row.data, `note ${name} of run ${run}`) : null
    },

    changes: (options = {}) => wakes(path, () => db.pragma('data_version'), options),
  }
}
