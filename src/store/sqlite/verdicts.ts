// Which trees have passed which commands, on SQLite.
import type { VerdictStore } from '../store.ts'
import type { Database } from './database.ts'

export function verdicts(db: Database): VerdictStore {
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

/** The newest are kept. */
const KEPT_VERDICTS = 10_000
