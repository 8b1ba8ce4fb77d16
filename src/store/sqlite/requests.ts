// What other processes ask of the engine, on SQLite.
import { requestSchema } from '../request-schema.ts'
import { checkedRow } from '../row.ts'
import type { RequestStore } from '../store.ts'
import type { Database } from './database.ts'

export function requests(db: Database): RequestStore {
  return {
    async request(run, request) {
      const sql = db.sql('insert into request (run, at, data) values (?, ?, ?)')
      return Number(sql.run(run, Date.now(), JSON.stringify(request)).lastInsertRowid)
    },

    async requests(run, after) {
      const rows = db.sql('select id, data from request where run = ? and id > ? order by id').all(run, after)
      return rows.map((row) => ({ ...checkedRow(requestSchema, row.data, `request ${row.id}`), id: Number(row.id) }))
    },
  }
}
