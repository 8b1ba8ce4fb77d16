// Reads the views that the store derives from the journal. Apart from the journal, because `espalier status` needs nothing
// else, has to answer at once, and loads no schemas.
import type { Settings } from '../config.ts'
import type { TaskStatus } from '../status.ts'
import type { Plan } from '../task.ts'
import type { ListedRun } from '../view.ts'
import type { ChangesOptions, Database, Row } from './database.ts'
import { ledgerViews } from './plan-tasks.ts'
import {
  DamagedRow,
  fromRow,
  isPlan,
  isSettings,
  isSummary,
  JOURNAL_VERSION,
  NewerJournal,
  parseJson,
  planByRows,
  taskFromRow,
} from './read-row.ts'
import { sql } from './sql.ts'

export type Views = ReturnType<typeof views>

export type RunRecord = {
  id: string
  name: string
  repo: string
  planFile: string | null
  createdAt: number
  /** The plan at the start of the run; the journal has its later changes. */
  plan: Plan
  /** Settings at the start of the run; a resumed run keeps them unless it is given others. */
  settings: Settings
}

export function views(db: Database) {
  /** Runs `read`, whose errors are no damage if the run was written by a newer version. */
  const ofRun = async <T>(run: string, read: () => T): Promise<T> => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error
      const [row] = await db.all(sql`select journal_version from run where id = ${run}`)
      throw Number(row?.journal_version ?? 0) > JOURNAL_VERSION ? new NewerJournal(error.what) : error
    }
  }
  const planOf = (id: string, text: unknown): Promise<Plan> =>
    ofRun(id, () => fromRow(text, `the plan of run ${id}`, isPlan))

  const listed = async ({ id, view, plan_file }: Row): Promise<ListedRun> => {
    const summary = await ofRun(String(id), () => fromRow(view, `run ${id}`, isSummary))
    return { ...summary, ...(plan_file === null ? {} : { planFile: String(plan_file) }) }
  }

  /** The plan at the start of the run, without later growth: costs the same for a large run. */
  const firstPlan = async (id: string): Promise<Plan | null> => {
    const [row] = await db.all(sql`select plan from run where id = ${id}`)
    return row ? planOf(id, row.plan) : null
  }

  return {
    ...ledgerViews(db),
    /** Another process is still creating the store: it is empty, and callers open it again to see more. */
    isBeingMade: db.isStandIn,
    /** The process that leads now, on any machine. Null: none, or a store whose lock is a file (workspace/lock.ts). */
    leading: () => db.leading(),
    /** Damage of the database itself, in any part of it; null: none. Reads the whole database. */
    damage: () => db.damage(),
    /** Yields true at once and after commits of other processes; false if only time has passed (`atLeastEveryMs`). */
    changes: (options: ChangesOptions = {}) => db.changes({ ...options, own: false }),

    /** Ids of all runs, also of those without an event. */
    runIds: () => db.all(sql`select id from run order by ${db.words.order}`, ({ id }) => String(id)),

    /** Runs, newest first; default: all of them. */
    async runs(atMost = Number.MAX_SAFE_INTEGER) {
      const rows = await db.all(sql`select id, view, plan_file from run where view is not null
        order by created_at desc, ${db.words.order} desc limit ${atMost}`)
      const runs: ListedRun[] = []
      for (const row of rows) runs.push(await listed(row))
      return runs
    },

    async run(id: string): Promise<RunRecord | null> {
      const [row] = await db.all(sql`select * from run where id = ${id}`)
      if (!row) return null
      return {
        id,
        name: String(row.name),
        repo: String(row.repo),
        planFile: row.plan_file === null ? null : String(row.plan_file),
        createdAt: Number(row.created_at),
        plan: await planOf(id, row.plan),
        settings: await ofRun(id, () => fromRow(row.settings, `the settings of run ${id}`, isSettings)),
      }
    },

    firstPlan,

    /** The plan with all changes in the journal. */
    async currentPlan(id: string): Promise<Plan | null> {
      const plan = await firstPlan(id)
      if (plan === null) return null
      // Repeats the condition of the index, without which SQLite would not use it.
      const changes = await db.all(sql`select seq, version, data from event ${db.words.planIndex}
        where run = ${id} and type in ('run.replanned', 'tasks.added') and seq >= coalesce((
          select max(seq) from event ${db.words.planIndex}
          where run = ${id} and type in ('run.replanned', 'tasks.added') and type = 'run.replanned'), 0)
        order by seq`)
      return planByRows(id, plan, changes)
    },

    async view(run: string): Promise<ListedRun | null> {
      const [row] = await db.all(sql`select id, view, plan_file from run where id = ${run}`)
      return row?.view ? listed(row) : null
    },

    /** Views of tasks with at least one event; sorted by id. */
    async tasks(run: string, status?: TaskStatus) {
      const which = status === undefined ? sql`` : sql`and status = ${status}`
      const rows = await db.all(
        sql`select id, view from task where run = ${run} ${which} order by id ${db.words.byBytes}`,
      )
      return ofRun(run, () => new Map(rows.map(({ id, view }) => [String(id), taskFromRow(view, run, id)])))
    },

    /** Tasks changed since a cursor of the feed, and the next cursor. None is left out; one may come twice. */
    async changedTasks(run: string, after: number) {
      // Read first: later changes are returned again by the next call.
      const [feed] = await db.all(sql`select last from ${db.words.feed}`)
      const rows = await db.all(sql`select id, view from task where run = ${run} and cursor > ${after}`)
      const tasks = await ofRun(run, () => rows.map(({ id, view }) => taskFromRow(view, run, id)))
      return { cursor: Number(feed?.last ?? 0), tasks }
    },

    /** Null: the task has no event yet. */
    async task(run: string, id: string) {
      const [row] = await db.all(sql`select view from task where run = ${run} and id = ${id}`)
      return row ? ofRun(run, () => taskFromRow(row.view, run, id)) : null
    },

    /** The stored value, unchecked, or null. */
    async note(run: string, name: string) {
      const [row] = await db.all(sql`select data from note where run = ${run} and name = ${name}`)
      return row ? parseJson(row.data, `note ${name} of run ${run}`) : null
    },
  }
}
