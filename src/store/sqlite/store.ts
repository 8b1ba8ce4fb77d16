// The store on SQLite (node:sqlite): one file, no server.

import { ok, type Result } from '../../problem.ts'
import type { NoteStore, Store, VerdictStore } from '../store.ts'
import { UPCASTS } from '../upcast.ts'
import type { Database } from './database.ts'
import { feed } from './feed.ts'
import { holds } from './holds.ts'
import { journal } from './journal.ts'
import { lead } from './lead.ts'
import { learning } from './learning.ts'
import { ledger } from './ledger.ts'
import { emptyDatabase, openDatabase } from './open.ts'
import { requests } from './requests.ts'
import { suites } from './suites.ts'
import { tables } from './tables.ts'
import { IN_MEMORY, views } from './views.ts'

export function openSqliteStore(path: string, mode: 'write' | 'read' = 'write', steps = UPCASTS): Result<Store> {
  const opened = openDatabase(path, mode)
  if (!opened.ok) return opened
  return ok(storeOf(opened.value, path, steps))
}

/** For one that is not there yet. */
export function emptyStore(): Store {
  return storeOf(emptyDatabase(), IN_MEMORY, UPCASTS)
}

function storeOf(db: Database, path: string, steps: typeof UPCASTS): Store {
  const { isOurs, ...leading } = lead(db)
  const { eventOf, ...runs } = journal(db, isOurs, steps)
  return {
    ...views(db, path, steps),
    ...runs,
    ...leading,
    ...feed(db, eventOf, path),
    ...requests(db),
    ...notes(db),
    ...ledger(db),
    ...verdicts(db),
    ...holds(db),
    ...learning(db),
    ...suites(db),
    ...tables(db),
    compact: async () => compact(db),
    [Symbol.asyncDispose]: async () => db[Symbol.dispose](),
  }
}

/** Pages that were freed are used again, so the file is written anew only where most of it is empty. */
function compact(db: Database): void {
  const free = db.pragma('freelist_count')
  if (free >= WORTH_PAGES && free > db.pragma('page_count') / 2) db.exec('vacuum')
  db.exec('pragma wal_checkpoint(truncate)')
}

/** 4 MB. */
const WORTH_PAGES = 1_000

function notes(db: Database): NoteStore {
  return {
    async putNote(run, name, value) {
      if (value === null) db.sql('delete from note where run = ? and name = ?').run(run, name)
      else
        db.sql('insert or replace into note (run, name, data) values (?, ?, ?)').run(run, name, JSON.stringify(value))
    },
  }
}

function verdicts(db: Database): VerdictStore {
  return {
    async hasPassed({ tree, commands }) {
      return db.sql('select 1 from passed where tree = ? and commands = ?').get(tree, commands) !== undefined
    },

    async rememberPassed({ tree, commands }) {
      db.transaction(() => {
        db.sql('insert or replace into passed (tree, commands, at) values (?, ?, ?)').run(tree, commands, Date.now())
        const old = 'delete from passed where at < (select at from passed order by at desc limit 1 offset ?)'
        db.sql(old).run(KEPT_VERDICTS)
      })
    },
  }
}

const KEPT_VERDICTS = 10_000
