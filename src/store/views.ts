// Reading what the store derived from the journal. Kept apart from the journal itself: `espalier status` needs this and
// nothing else, has to answer at once, and loads no schemas.
import type { Plan } from '../task.ts'
import type { ListedRun, TaskView } from '../view.ts'
import type { Database } from './database.ts'
import { ledgerViews } from './ledger.ts'
import { planByRows } from './plan-by-journal.ts'
import { DamagedRow, fromRow, isPlan, isSettings, isSummary, NewerJournal, parseJson, taskFromRow } from './row.ts'
import { sql } from './sql.ts'
import type { Views } from './store.ts'
import { journalVersion, UPCASTS } from './upcast.ts'

export function views(db: Database, steps = UPCASTS): Views {
  /** What a newer version says in another way is no damage. */
  const ofRun = async <T>(run: string, read: () => T): Promise<T> => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof DamagedRow)) throw error
      const [row] = await db.all(sql`select journal_version from run where id = ${run}`)
      throw Number(row?.journal_version ?? 0) > journalVersion() ? new NewerJournal(error.what) : error
    }
  }
  const planOf = (id: string, text: unknown): Promise<Plan> =>
    ofRun(id, () => fromRow(text, `the plan of run ${id}`, isPlan))

  return {
    ...ledgerViews(db),
    isBeingMade: db.isStandIn,
    leading: () => db.leading(),
    damage: () => db.damage(),
    changes: (options = {}) => db.changes({ ...options, own: false }),

    runIds: () => db.all(sql`select id from run order by ${db.words.order}`, ({ id }) => String(id)),

    async runs(atMost = Number.MAX_SAFE_INTEGER) {
      const rows = await db.all(sql`select id, view, plan_file from run where view is not null
        order by created_at desc, ${db.words.order} desc limit ${atMost}`)
      const runs: ListedRun[] = []
      for (const { id, view, plan_file } of rows) {
        const summary = await ofRun(String(id), () => fromRow(view, `run ${id}`, isSummary))
        runs.push({ ...summary, ...(plan_file === null ? {} : { planFile: String(plan_file) }) })
      }
      return runs
    },

    async run(id) {
      const [row] = await db.all(sql`select * from run where id = ${id}`)
      if (!row) return null
      const plan = await planOf(id, row.plan)
      // The condition of the index is repeated, or SQLite would not use it.
      const changes = await db.all(sql`select seq, version, data from event ${db.words.planIndex}
        where run = ${id} and type in ('run.replanned', 'tasks.added') and seq >= coalesce((
          select max(seq) from event ${db.words.planIndex}
          where run = ${id} and type in ('run.replanned', 'tasks.added') and type = 'run.replanned'), 0)
        order by seq`)
      return {
        id,
        name: String(row.name),
        repo: String(row.repo),
        planFile: row.plan_file === null ? null : String(row.plan_file),
        createdAt: Number(row.created_at),
        plan,
        currentPlan: planByRows(id, plan, changes, steps),
        settings: await ofRun(id, () => fromRow(row.settings, `the settings of run ${id}`, isSettings)),
      }
    },

    async firstPlan(id) {
      const [row] = await db.all(sql`select plan from run where id = ${id}`)
      return row ? planOf(id, row.plan) : null
    },

    async view(run) {
      const [row] = await db.all(sql`select view from run where id = ${run}`)
      return row?.view ? ofRun(run, () => fromRow(row.view, `run ${run}`, isSummary)) : null
    },

    async tasks(run, status) {
      const which = status === undefined ? sql`` : sql`and status = ${status}`
      const rows = await db.all(
        sql`select id, view from task where run = ${run} ${which} order by id ${db.words.byBytes}`,
      )
      return ofRun(run, () => new Map(rows.map(({ id, view }) => [String(id), taskFromRow(view, run, id)])))
    },

    async changedTasks(run, after) {
      // First: what is written meanwhile is given again the next time.
      const [feed] = await db.all(sql`select last from ${db.words.feed}`)
      const rows = await db.all(sql`select id, view from task where run = ${run} and cursor > ${after}`)
      const tasks = await ofRun(run, () => rows.map(({ id, view }): TaskView => taskFromRow(view, run, id)))
      return { cursor: Number(feed?.last ?? 0), tasks }
    },

    async task(run, id) {
      const [row] = await db.all(sql`select view from task where run = ${run} and id = ${id}`)
      return row ? ofRun(run, () => taskFromRow(row.view, run, id)) : null
    },

    async note(run, name) {
      const [row] = await db.all(sql`select data from note where run = ${run} and name = ${name}`)
      return row ? parseJson(row.data, `note ${name} of run ${run}`) : null
    },
  }
}
