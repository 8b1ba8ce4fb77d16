// Reading what the store derived from the journal, on Postgres. Loads no schemas: `espalier status` needs nothing else.
import { ok, type Result } from '../../problem.ts'
import type { TaskStatus } from '../../status.ts'
import type { Plan } from '../../task.ts'
import type { ListedRun, RunSummary, TaskView } from '../../view.ts'
import { parseLeader } from '../leader.ts'
import { planByRows } from '../plan-by-journal.ts'
import { fromRow, isPlan, isSettings, isSummary, parseJson, taskFromRow } from '../row.ts'
import { emptyViews } from '../sqlite/views.ts'
import type { RunRecord, Views } from '../store.ts'
import { UPCASTS } from '../upcast.ts'
import type { Database } from './database.ts'
import { ledgerViews } from './ledger.ts'
import { openPostgres } from './open.ts'

export async function openPostgresViews(url: string): Promise<Result<Views & AsyncDisposable>> {
  const opened = await openPostgres(url, 'read')
  if (!opened.ok) return opened
  const db = opened.value
  if (db === null) return ok(emptyViews())
  return ok({ ...views(db), [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() })
}

export function views(db: Database, steps = UPCASTS): Views {
  return {
    ...ledgerViews(db),
    isBeingMade: false,

    async leading() {
      const [row] = await db.sql(LEADING, [db.connection.place.schema])
      return parseLeader(row?.leader)
    },

    // Postgres watches over its own files.
    damage: async () => null,

    async runIds(): Promise<string[]> {
      return (await db.sql('select id from run order by number')).map((row) => String(row.id))
    },

    async runs(atMost = -1): Promise<ListedRun[]> {
      const text = `select id, view, plan_file, journal_version from run where view is not null
        order by created_at desc, number desc limit $1`
      const rows = await db.sql(text, [atMost < 0 ? null : atMost])
      return rows.map(({ id, view, plan_file, journal_version }) => ({
        ...fromRow(view, `run ${id}`, isSummary, () => Number(journal_version)),
        ...(plan_file === null ? {} : { planFile: String(plan_file) }),
      }))
    },

    async run(id): Promise<RunRecord | null> {
      const [row] = await db.sql('select * from run where id = $1', [id])
      if (!row) return null
      const version = () => Number(row.journal_version)
      const plan = fromRow(row.plan, `the plan of run ${id}`, isPlan, version)
      return {
        id,
        name: String(row.name),
        repo: String(row.repo),
        planFile: row.plan_file === null ? null : String(row.plan_file),
        createdAt: Number(row.created_at),
        plan,
        currentPlan: planByRows(id, plan, await db.sql(PLAN_CHANGES, [id]), steps),
        settings: fromRow(row.settings, `the settings of run ${id}`, isSettings, version),
      }
    },

    async firstPlan(id): Promise<Plan | null> {
      const [row] = await db.sql('select plan, journal_version from run where id = $1', [id])
      return row ? fromRow(row.plan, `the plan of run ${id}`, isPlan, () => Number(row.journal_version)) : null
    },

    async view(run): Promise<RunSummary | null> {
      const [row] = await db.sql('select view, journal_version from run where id = $1', [run])
      return row?.view ? fromRow(row.view, `run ${run}`, isSummary, () => Number(row.journal_version)) : null
    },

    async tasks(run, status?: TaskStatus): Promise<Map<string, TaskView>> {
      const rows = await db.sql(`${TASKS} and ($2::text is null or task.status = $2) order by task.id collate "C"`, [
        run,
        status ?? null,
      ])
      const viewOf = ({ id, view, journal_version }: (typeof rows)[number]) =>
        taskFromRow(view, run, id, () => Number(journal_version))
      return new Map(rows.map((row) => [String(row.id), viewOf(row)]))
    },

    async changedTasks(run, after): Promise<{ cursor: number; tasks: TaskView[] }> {
      // First: what is written meanwhile is given again the next time.
      const cursor = Number((await db.sql("select last from counter where name = 'feed'"))[0]?.last ?? 0)
      const rows = await db.sql(`${TASKS} and task.cursor > $2`, [run, after])
      const tasks = rows.map(({ id, view, journal_version }) =>
        taskFromRow(view, run, id, () => Number(journal_version)),
      )
      return { cursor, tasks }
    },

    async task(run, id): Promise<TaskView | null> {
      const [row] = await db.sql(`${TASKS} and task.id = $2`, [run, id])
      return row ? taskFromRow(row.view, run, id, () => Number(row.journal_version)) : null
    },

    async note(run, name): Promise<unknown> {
      const [row] = await db.sql('select data from note where run = $1 and name = $2', [run, name])
      return row ? parseJson(row.data, `note ${name} of run ${run}`) : null
    },

    changes: ({ signal, atLeastEveryMs = Number.POSITIVE_INFINITY } = {}) =>
      db.news.wakes({ signal, atLeastEveryMs, ownToo: false }),
  }
}

/** A lock of 64 bits is listed as two of 32. */
const LEADING = `
  select leader from lead where exists (
    select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0))`

const TASKS =
  'select task.id, task.view, run.journal_version from task join run on run.id = task.run where task.run = $1'

const PLAN_CHANGES = `
  select seq, version, data from event
    where run = $1 and type in ('run.replanned', 'tasks.added')
      and seq >= coalesce((select max(seq) from event where run = $1 and type = 'run.replanned'), 0) order by seq`
