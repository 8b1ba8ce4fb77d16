// Runs and their journals, on Postgres.
import { eventSchema } from '../../event.ts'
import { checkedValue, factOf } from '../row.ts'
import type { JournalStore } from '../store.ts'
import { journalVersion, type UpcastStep } from '../upcast.ts'
import { type Database, takeNumbers } from './database.ts'
import type { EventOfRow } from './feed.ts'
import type { Lead } from './lead.ts'
import { recordTasks } from './ledger.ts'

/** `steps`: those that lead from the first version of the journal to the one that is written. */
export function journal(
  db: Database,
  lead: Lead,
  steps: readonly UpcastStep[],
): JournalStore & { eventOf: EventOfRow } {
  const version = journalVersion(steps)
  const eventOf: EventOfRow = (run, row) => {
    const what = `event ${row.seq} of run ${run}`
    const fact = checkedValue(eventSchema, factOf(row, what, steps), what)
    return { ...fact, seq: Number(row.seq), at: Number(row.at) }
  }

  return {
    eventOf,

    async createRun({ id, name, repo, planFile, createdAt, plan, settings }) {
      const columns = 'id, name, repo, plan_file, created_at, plan, settings, journal_version'
      const values = [id, name, repo, planFile, createdAt, JSON.stringify(plan), JSON.stringify(settings), version]
      await db.write(async (sql) => {
        await sql(`insert into run (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, values)
        // One that was removed may have had the same name.
        await sql('delete from plan_task where run = $1', [id])
      })
    },

    async append(run, events, changes) {
      const rows = events.map(({ seq, at, ...fact }) => {
        const checked = eventSchema.parse(fact)
        const task = 'task' in checked ? checked.task : null
        return { seq, at, type: checked.type, task, data: JSON.stringify(checked) }
      })
      const seqs = events.map(({ seq }) => seq)
      const [first, last] = [seqs.reduce((a, b) => Math.min(a, b), Infinity), seqs.reduce((a, b) => Math.max(a, b), 0)]
      return db.write(async (sql) => {
        if (!(await lead.isOurs(sql))) return 'fenced'
        // The row is this transaction's from here on: nobody else appends to the run.
        const mine = await sql(APPEND, [
          run,
          JSON.stringify(changes.run),
          version,
          Number.isFinite(first) ? first : null,
          last,
        ])
        if (mine.length === 0) {
          if ((await sql('select 1 from run where id = $1', [run])).length === 0)
            throw new Error(`there is no run ${run}`)
          return 'fenced'
        }
        // One without events may still change tasks.
        const taken = Math.max(rows.length, 1)
        const cursor = await takeNumbers(sql, 'feed', taken)
        const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name])
        const [seq, at, type, task, data] = [
          column('seq'),
          column('at'),
          column('type'),
          column('task'),
          column('data'),
        ]
        await sql(INSERT, [cursor, run, version, seq, at, type, task, data])
        const views = [...new Map(changes.tasks.map((view) => [view.id, view])).values()]
        if (views.length > 0) {
          const ids = views.map(({ id }) => id)
          const statuses = views.map(({ status }) => status)
          const texts = views.map((view) => JSON.stringify(view))
          await sql(PUT_TASKS, [run, ids, statuses, texts, cursor + taken - 1])
          await recordTasks(sql, run, ids)
        }
        return 'written'
      })
    },

    async events(run, after = 0, atMost = -1) {
      const text = 'select seq, version, at, data from event where run = $1 and seq > $2 order by seq limit $3'
      const rows = await db.sql(text, [run, after, atMost < 0 ? null : atMost])
      return rows.map((row) => eventOf(run, row))
    },

    async deleteRun(run) {
      await db.write(async (sql) => {
        await sql('delete from run where id = $1', [run])
        await sql("delete from plan_task where run = $1 and status <> 'landed'", [run])
      })
    },
  }
}

/** No row: another writer has taken one of the numbers. */
const APPEND = `
  update run set view = $2, journal_version = $3, last_seq = greatest(last_seq, $5)
    where id = $1 and ($4::bigint is null or last_seq < $4) returning id`

const INSERT = `
  insert into event (cursor, run, seq, version, at, type, task, data)
    select $1::bigint + place - 1, $2, seq, $3, at, type, task, data
      from unnest($4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[])
        with ordinality as given(seq, at, type, task, data, place)`

const PUT_TASKS = `
  insert into task (run, id, status, cursor, view)
    select $1, id, status, $5, view from unnest($2::text[], $3::text[], $4::text[]) as given(id, status, view)
  on conflict (run, id) do update set status = excluded.status, cursor = excluded.cursor, view = excluded.view`
