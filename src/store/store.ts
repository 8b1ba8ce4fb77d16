// The store: an append-only journal, the views derived from it, and the requests other processes leave for the engine.
// Asynchronous although SQLite is not, because it has to pass test/store/contract.ts over every database.
//
// Properties
// - An `append` that resolved survives `kill -9`, and with it every view it carried: one transaction.
// - A run has one writer, which numbers its events. An append with a number that is taken is *fenced*: nothing of it is
//   kept, and a writer that was replaced without knowing it learns so.
// - Every event carries the version of the journal's language. One of an older version is read (read-row.ts); one of a newer
//   version is refused as such, never taken for damage.
// - Readers in other processes see whole appends or nothing, and never hold the writer up.
import { type Database, type Leader, parseLeader, put } from './database.ts'
import { journal } from './journal-queries.ts'
import { learning } from './learning.ts'
import { ledger } from './plan-tasks.ts'
import { requests } from './requests.ts'
import { sql } from './sql.ts'
import { suites } from './suite-history.ts'
import { views } from './views.ts'

export type Store = ReturnType<typeof storeOver>

/** Makes a store. Loads the schemas for events and lessons. */
export function storeOver(db: Database) {
  return {
    ...views(db),
    ...journal(db),
    fenced: db.lead.fenced,
    takeLead: (leader: Leader) => db.lead.take(leader),
    /** The process that took the lead last, and when. It may be gone. */
    leader: async () => parseLeader((await db.all(sql`select leader from lead`))[0]?.leader),
    ...requests(db),
    ...notes(db),
    ...ledger(db),
    ...verdicts(db),
    ...learning(db),
    ...suites(db),
    /** Frees the disk space of deleted runs, if it is worth the time. Called when nothing else is going on. */
    compact: () => db.compact(),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  }
}

/** Small values beside the journal of a run. They are deleted with the run. */
function notes(db: Database) {
  return {
    /** Replaces the note of that name; null: deletes it. */
    async putNote(run: string, name: string, value: unknown) {
      await db.write(function* () {
        if (value === null) yield sql`delete from note where run = ${run} and name = ${name}`
        else yield put('note', ['run', 'name'], [{ run, name, data: JSON.stringify(value) }])
      })
    },
  }
}

/** `commands`: a hash of the commands and of everything besides the tree that they depend on. */
type VerdictKey = { tree: string; commands: string }

function verdicts(db: Database) {
  return {
    async hasPassed({ tree, commands }: VerdictKey) {
      return (await db.all(sql`select 1 from passed where tree = ${tree} and commands = ${commands}`)).length > 0
    },

    async rememberPassed({ tree, commands }: VerdictKey) {
      await db.write(function* () {
        yield put('passed', ['tree', 'commands'], [{ tree, commands, at: Date.now() }])
        yield sql`delete from passed where at < (select at from passed order by at desc limit 1 offset ${KEPT_VERDICTS})`
      })
    },
  }
}

const KEPT_VERDICTS = 10_000
