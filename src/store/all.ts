// The whole store over a database. Loads the schemas by which events and lessons are checked.
import type { Database } from './database.ts'
import { put } from './database.ts'
import { feed } from './feed.ts'
import { holds } from './holds.ts'
import { journal } from './journal.ts'
import { parseLeader } from './lead.ts'
import { learning } from './learning.ts'
import { ledger } from './ledger.ts'
import { requests } from './requests.ts'
import { sql } from './sql.ts'
import type { NoteStore, Store, VerdictStore } from './store.ts'
import { suites } from './suites.ts'
import type { UPCASTS } from './upcast.ts'
import { views } from './views.ts'

export function storeOver(db: Database, steps: typeof UPCASTS): Store {
  const { eventOf, ...runs } = journal(db, steps)
  return {
    ...views(db, steps),
    ...runs,
    fenced: db.lead.fenced,
    takeLead: (leader) => db.lead.take(leader),
    leader: async () => parseLeader((await db.all(sql`select leader from lead`))[0]?.leader),
    ...feed(db, eventOf),
    ...requests(db),
    ...notes(db),
    ...ledger(db),
    ...verdicts(db),
    ...holds(db),
    ...learning(db),
    ...suites(db),
    compact: () => db.compact(),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

function notes(db: Database): NoteStore {
  return {
    async putNote(run, name, value) {
      await db.write(function* () {
        if (value === null) yield sql`delete from note where run = ${run} and name = ${name}`
        else yield put('note', ['run', 'name'], [{ run, name, data: JSON.stringify(value) }])
      })
    },
  }
}

function verdicts(db: Database): VerdictStore {
  return {
    async hasPassed({ tree, commands }) {
      return (await db.all(sql`select 1 from passed where tree = ${tree} and commands = ${commands}`)).length > 0
    },

    async rememberPassed({ tree, commands }) {
      await db.write(function* () {
        yield put('passed', ['tree', 'commands'], [{ tree, commands, at: Date.now() }])
        yield sql`delete from passed where at < (select at from passed order by at desc limit 1 offset ${KEPT_VERDICTS})`
      })
    },
  }
}

const KEPT_VERDICTS = 10_000
