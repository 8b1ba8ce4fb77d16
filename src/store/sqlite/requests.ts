// What other processes ask of the engine, on SQLite.
import { requestInRow } from '../request-row.ts'
import type { RequestStore } from '../store.ts'
import type { Database } from './database.ts'

export function requests(db: Database): RequestStore {
  return {
    async request(run, fact) {
      const sql = db.sql('insert into request (run, at, data) values (?, ?, ?)')
      return Number(sql.run(run, Date.now(), JSON.stringify(fact)).lastInsertRowid)
    },

    async requests(run, after) {
      const rows = db.sql('select id, data from request where run = ? and id > ? order by id').all(run, after)
      return rows.map(requestInRow)
    },
  }
}
