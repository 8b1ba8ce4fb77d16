// What other processes ask of the engine, on SQLite.
import * as z from 'zod'
import { NOTE_KINDS } from '../../status.ts'
import type { Request, RequestStore } from '../store.ts'
import type { Database } from './database.ts'
import { checkedRow } from './row.ts'

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

const requestSchema: z.ZodType<Request> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancel'), task: z.string().nullable() }),
  z.object({ type: z.literal('slots'), slots: z.number().int().positive() }),
  z.object({ type: z.literal('priority'), task: z.string(), priority: z.number() }),
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
