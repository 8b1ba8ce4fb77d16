// The store on SQLite (node:sqlite): the default, one file, no server.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Event, eventSchema } from '../../event.ts'
import { ok, type Result } from '../../problem.ts'
import type { RunSummary, TaskView } from '../../status.ts'
import type { Plan } from '../../task.ts'
import type { Request, RunRecord, Store, Views } from '../store.ts'
import { openDatabase } from './open.ts'

export function openSqliteStore(path: string, mode: 'write' | 'read' = 'write'): Result<Store> {
  const opened = openDatabase(path, mode)
  return opened.ok ? ok(new SqliteStore(opened.value)) : opened
}

class SqliteStore implements Store {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  async createRun({ id, name, repo, planFile, createdAt, plan }: RunRecord): Promise<void> {
    this.#sql('insert into run (id, name, repo, plan_file, created_at, plan) values (?, ?, ?, ?, ?, ?)').run(
      id,
      name,
      repo,
      planFile,
      createdAt,
      JSON.stringify(plan),
    )
  }

  async append(run: string, events: Event[], views: Views): Promise<void> {
    this.#transaction(() => {
      const insert = this.#sql('insert into event (run, seq, at, type, task, data) values (?, ?, ?, ?, ?, ?)')
      for (const event of events) {
        const { seq, at, ...fact } = event
        const checked = eventSchema.parse(fact)
        insert.run(run, seq, at, checked.type, 'task' in checked ? checked.task : null, JSON.stringify(checked))
      }
      const task = this.#sql('insert or replace into task (run, id, status, view) values (?, ?, ?, ?)')
      for (const view of views.tasks) task.run(run, view.id, view.status, JSON.stringify(view))
      this.#sql('update run set view = ? where id = ?').run(JSON.stringify(views.run), run)
    })
  }

  async runIds(): Promise<string[]> {
    return this.#sql('select id from run')
      .all()
      .map((row) => String(row.id))
  }

  async runs(): Promise<RunSummary[]> {
    const rows = this.#sql('select view from run where view is not null order by created_at desc, rowid desc').all()
    return rows.map((row) => JSON.parse(String(row.view)) as RunSummary)
  }

  async run(id: string): Promise<RunRecord | null> {
    const row = this.#sql('select * from run where id = ?').get(id)
    if (!row) return null
    return {
      id,
      name: String(row.name),
      repo: String(row.repo),
      planFile: row.plan_file === null ? null : String(row.plan_file),
      createdAt: Number(row.created_at),
      plan: JSON.parse(String(row.plan)) as Plan,
    }
  }

  async view(run: string): Promise<RunSummary | null> {
    const row = this.#sql('select view from run where id = ?').get(run)
    return row?.view ? (JSON.parse(String(row.view)) as RunSummary) : null
  }

  async tasks(run: string): Promise<Map<string, TaskView>> {
    const rows = this.#sql('select id, view from task where run = ?').all(run)
    return new Map(rows.map((row) => [String(row.id), JSON.parse(String(row.view)) as TaskView]))
  }

  async events(run: string, after = 0): Promise<Event[]> {
    const rows = this.#sql('select seq, at, data from event where run = ? and seq > ? order by seq').all(run, after)
    return rows.map((row) => ({
      ...eventSchema.parse(JSON.parse(String(row.data))),
      seq: Number(row.seq),
      at: Number(row.at),
    }))
  }

  async request(run: string, request: Request): Promise<number> {
    const sql = this.#sql('insert into request (run, at, data) values (?, ?, ?)')
    return Number(sql.run(run, Date.now(), JSON.stringify(request)).lastInsertRowid)
  }

  async requests(run: string, after: number): Promise<(Request & { id: number })[]> {
    const rows = this.#sql('select id, data from request where run = ? and id > ? order by id').all(run, after)
    return rows.map((row) => ({ ...(JSON.parse(String(row.data)) as Request), id: Number(row.id) }))
  }

  async deleteRun(run: string): Promise<void> {
    this.#sql('delete from run where id = ?').run(run)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }

  #transaction(work: () => void): void {
    this.#db.exec('begin immediate')
    try {
      work()
      this.#db.exec('commit')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('rollback')
      throw error
    }
  }

  #sql(text: string): StatementSync {
    let statement = this.#statements.get(text)
    if (!statement) {
      statement = this.#db.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement
  }
}
