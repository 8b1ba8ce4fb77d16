// The store on Postgres: see store.ts for what it promises.
import { ok, type Result } from '../../problem.ts'
import { requestInRow } from '../request-row.ts'
import { emptyStore } from '../sqlite/store.ts'
import type { NoteStore, RequestStore, Store, VerdictStore } from '../store.ts'
import { UPCASTS } from '../upcast.ts'
import type { Mode } from './connection.ts'
import { type Database, takeNumbers } from './database.ts'
import { feed } from './feed.ts'
import { holds } from './holds.ts'
import { journal } from './journal.ts'
import { Lead } from './lead.ts'
import { learning } from './learning.ts'
import { ledger } from './ledger.ts'
import { openPostgres } from './open.ts'
import { suites } from './suites.ts'
import { tables } from './tables.ts'
import { views } from './views.ts'

export async function openPostgresStore(url: string, mode: Mode = 'write', steps = UPCASTS): Promise<Result<Store>> {
  const opened = await openPostgres(url, mode)
  if (!opened.ok) return opened
  const db = opened.value
  if (db === null) return ok(emptyStore())
  const lead = new Lead(db)
  const { eventOf, ...runs } = journal(db, lead, steps)
  return ok({
    ...views(db, steps),
    ...runs,
    ...lead.store,
    ...feed(db, eventOf),
    ...requests(db),
    ...notes(db),
    ...ledger(db),
    ...verdicts(db),
    ...holds(db),
    ...learning(db),
    ...suites(db),
    ...tables(db),
    // Postgres gives back and uses again what was deleted by itself.
    compact: async () => {},
    [Symbol.asyncDispose]: async () => {
      await lead[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
    },
  })
}

function requests(db: Database): RequestStore {
  return {
    async request(run, fact) {
      return db.write(async (sql) => {
        const id = await takeNumbers(sql, 'request', 1)
        const values = [id, run, Date.now(), JSON.stringify(fact)]
        await sql('insert into request (id, run, at, data) values ($1, $2, $3, $4)', values)
        return id
      })
    },

    async requests(run, after) {
      const rows = await db.sql('select id, data from request where run = $1 and id > $2 order by id', [run, after])
      return rows.map(requestInRow)
    },
  }
}

function notes(db: Database): NoteStore {
  return {
    async putNote(run, name, value) {
      await db.write((sql) =>
        value === null
          ? sql('delete from note where run = $1 and name = $2', [run, name])
          : sql(PUT_NOTE, [run, name, JSON.stringify(value)]),
      )
    },
  }
}

const PUT_NOTE = `insert into note (run, name, data) values ($1, $2, $3)
  on conflict (run, name) do update set data = excluded.data`

function verdicts(db: Database): VerdictStore {
  return {
    async hasPassed({ tree, commands }) {
      return (await db.sql('select 1 from passed where tree = $1 and commands = $2', [tree, commands])).length > 0
    },

    async rememberPassed({ tree, commands }) {
      await db.write(async (sql) => {
        await sql(PASSED, [tree, commands, Date.now()])
        const old = 'delete from passed where at < (select at from passed order by at desc limit 1 offset $1)'
        await sql(old, [KEPT_VERDICTS])
      })
    },
  }
}

const PASSED = `insert into passed (tree, commands, at) values ($1, $2, $3)
  on conflict (tree, commands) do update set at = excluded.at`

const KEPT_VERDICTS = 10_000
