// Requests of other processes for the engine: facts. Rows of the first versions had shapes of their own.
import { requestSchema } from '../event.ts'
import { type Database, insert, type Row } from './database.ts'
import { checkedValue, parseJson } from './row.ts'
import { sql } from './sql.ts'
import type { Request, RequestStore } from './store.ts'

export function requests(db: Database): RequestStore {
  return {
    request(run, fact) {
      return db.write(function* () {
        const id = yield* db.take('request', 1)
        yield insert('request', [{ id, run, at: Date.now(), data: JSON.stringify(fact) }])
        return id
      })
    },

    requests: (run, after) =>
      db.all(sql`select id, data from request where run = ${run} and id > ${after} order by id`, requestInRow),
  }
}

/** The fact carries the number of its request where it has a field for it. */
function requestInRow(row: Row): Request {
  const what = `request ${row.id}`
  const id = Number(row.id)
  const fact = checkedValue(requestSchema, today(parseJson(row.data, what)), what)
  return { id, fact: 'request' in fact ? { ...fact, request: id } : fact }
}

const TODAY: Record<string, string> = {
  slots: 'slots.changed',
  priority: 'priority.changed',
  resolve: 'task.resolved',
  note: 'attempt.noted',
}

function today(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return value
  const { type, ...rest } = value as Record<string, unknown>
  switch (type) {
    case 'cancel':
      return { ...rest, type: rest.task === null ? 'run.cancelled' : 'task.cancelled', request: null }
    case 'claim':
      return { ...rest, type: 'attempt.asked', holder: null, request: null }
    case 'report':
    case 'deliver': {
      const { fact, ...more } = rest
      return { ...(fact as object), ...more }
    }
    default: {
      const name = TODAY[String(type)]
      return name === undefined ? value : { ...rest, type: name, request: null }
    }
  }
}
