// The store on SQLite (node:sqlite): the default, one file, no server.
import * as z from 'zod'
import { type Event, eventSchema } from '../../event.ts'
import { ok, type Result } from '../../problem.ts'
import { NOTE_KINDS } from '../../status.ts'
import type { Changes, Request, RunRecord, Store, VerdictKey } from '../store.ts'
import { SqliteHolds } from './holds.ts'
import { openDatabase } from './open.ts'
import { checkedRow } from './row.ts'

export function openSqliteStore(path: string, mode: 'write' | 'read' = 'write'): Result<Store> {
  const opened = openDatabase(path, mode)
  return opened.ok ? ok(new SqliteStore(opened.value)) : opened
}

class SqliteStore extends SqliteHolds implements Store {
  async createRun({
    id,
    name,
    repo,
    planFile,
    createdAt,
    plan,
    settings,
  }: Omit<RunRecord, 'currentPlan'>): Promise<void> {
    const sql = 'insert into run (id, name, repo, plan_file, created_at, plan, settings) values (?, ?, ?, ?, ?, ?, ?)'
    this.sql(sql).run(id, name, repo, planFile, createdAt, JSON.stringify(plan), JSON.stringify(settings))
  }

  async append(run: string, events: Event[], changes: Changes): Promise<void> {
    this.transaction(() => {
      const insert = this.sql('insert into event (run, seq, at, type, task, data) values (?, ?, ?, ?, ?, ?)')
      for (const event of events) {
        const { seq, at, ...fact } = event
        const checked = eventSchema.parse(fact)
        insert.run(run, seq, at, checked.type, 'task' in checked ? checked.task : null, JSON.stringify(checked))
      }
      const task = this.sql('insert or replace into task (run, id, status, view) values (?, ?, ?, ?)')
      for (const view of changes.tasks) task.run(run, view.id, view.status, JSON.stringify(view))
      this.sql('update run set view = ? where id = ?').run(JSON.stringify(changes.run), run)
      if (changes.plan) this.sql('update run set current_plan = ? where id = ?').run(JSON.stringify(changes.plan), run)
    })
  }

  async events(run: string, after = 0, atMost = -1): Promise<Event[]> {
    const sql = 'select seq, at, data from event where run = ? and seq > ? order by seq limit ?'
    const rows = this.sql(sql).all(run, after, atMost)
    return rows.map((row) => ({
      ...checkedRow(eventSchema, row.data, `event ${row.seq} of run ${run}`),
      seq: Number(row.seq),
      at: Number(row.at),
    }))
  }

  async request(run: string, request: Request): Promise<number> {
    const sql = this.sql('insert into request (run, at, data) values (?, ?, ?)')
    return Number(sql.run(run, Date.now(), JSON.stringify(request)).lastInsertRowid)
  }

  async requests(run: string, after: number): Promise<(Request & { id: number })[]> {
    const rows = this.sql('select id, data from request where run = ? and id > ? order by id').all(run, after)
    return rows.map((row) => ({ ...checkedRow(requestSchema, row.data, `request ${row.id}`), id: Number(row.id) }))
  }

  async hasPassed({ tree, commands }: VerdictKey): Promise<boolean> {
    return this.sql('select 1 from passed where tree = ? and commands = ?').get(tree, commands) !== undefined
  }

  async rememberPassed({ tree, commands }: VerdictKey): Promise<void> {
    this.transaction(() => {
      this.sql('insert or replace into passed (tree, commands, at) values (?, ?, ?)').run(tree, commands, Date.now())
      this.sql('delete from passed where at < (select at from passed order by at desc limit 1 offset ?)').run(
        KEPT_VERDICTS,
      )
    })
  }

  async deleteRun(run: string): Promise<void> {
    this.sql('delete from run where id = ?').run(run)
  }

  /** Pages that were freed are used again, so the file is written anew only where most of it is empty. */
  async compact(): Promise<void> {
    const pragma = (name: string) => Number(this.db.prepare(`pragma ${name}`).get()?.[name])
    const free = pragma('freelist_count')
    if (free >= WORTH_PAGES && free > pragma('page_count') / 2) this.db.exec('vacuum')
    this.db.exec('pragma wal_checkpoint(truncate)')
  }
}

/** 4 MB. */
const WORTH_PAGES = 1_000

/** The newest are kept. */
const KEPT_VERDICTS = 10_000

const requestSchema: z.ZodType<Request> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancel'), task: z.string().nullable() }),
  z.object({
    type: z.literal('resolve'),
    task: z.string(),
    conflict: z.string(),
    commit: z.string().nullable(),
    diff: z.object({ files: z.number(), insertions: z.number(), deletions: z.number() }).nullable(),
  }),
  z.object({
    type: z.literal('note'),
    task: z.string(),
    attempt: z.number(),
    kind: z.enum(NOTE_KINDS),
    text: z.string(),
    details: z.string().optional(),
  }),
  z.object({ type: z.literal('claim'), task: z.string(), attempt: z.number(), paths: z.array(z.string()) }),
])
