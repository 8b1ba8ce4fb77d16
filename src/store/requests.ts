// Messages of other processes and people to engines: requests, which are facts for one run, and claims that people hold.
// Claims of people belong to no run: an engine compares them with the claims of its run, so none is missed.
import { type RequestedFact, requestSchema } from '../event.ts'
import type { Hold } from '../view.ts'
import { type Database, fieldsOf, insert, type Row, type Statements } from './database.ts'
import { checkedValue, parseJson } from './read-row.ts'
import { sql } from './sql.ts'

export function requests(db: Database) {
  const { isOneOf } = db.words
  return {
    request(run: string, fact: RequestedFact) {
      return db.write(function* () {
        const id = yield* db.take('request', 1)
        yield insert('request', [{ id, run, at: Date.now(), data: JSON.stringify(fact) }])
        return id
      })
    },

    /** `id`: the number of a request, increasing over all runs. */
    requests: (run: string, after: number) =>
      db.all(sql`select id, data from request where run = ${run} and id > ${after} order by id`, requestInRow),

    holds: (now: number) => db.all(sql`select * from hold where until > ${now} order by id`, fieldsOf<Hold>),

    /** Adds claims of people. A person who holds the same glob already gets the new end instead. Null: more than `most` in all. */
    addHolds(wanted: readonly Omit<Hold, 'id'>[], now: number, most: number) {
      return db.write(function* (): Statements<Hold[] | null> {
        // Locks the counter, so that two callers do not both take the last place.
        yield* db.take('hold', 0)
        const isSame = (one: Hold) => wanted.some(({ name, glob }) => name === one.name && glob === one.glob)
        const there = (yield sql`select * from hold where until > ${now}`).map(fieldsOf<Hold>)
        const kept = there.filter((one) => !isSame(one)).map(({ id }) => id)
        if (kept.length + wanted.length > most) return null
        yield sql`delete from hold where not (id ${isOneOf(kept)})`
        let id = yield* db.take('hold', wanted.length)
        const added = wanted.map(({ name, glob, since, until }) => ({ id: id++, name, glob, since, until }))
        yield insert('hold', added)
        return added
      })
    },

    async removeHolds(ids: readonly number[]) {
      const removed = await db.write(function* (): Statements<Row[]> {
        return yield sql`delete from hold where id ${isOneOf(ids)} returning *`
      })
      return removed.map(fieldsOf<Hold>).sort((a, b) => a.id - b.id)
    },
  }
}

/** The fact, with the number of its request in the field for it, if it has one. */
function requestInRow(row: Row): { id: number; fact: RequestedFact } {
  const what = `request ${row.id}`
  const id = Number(row.id)
  const fact = checkedValue(requestSchema, today(parseJson(row.data, what)), what)
  return { id, fact: 'request' in fact ? { ...fact, request: id } : fact }
}

/** Requests of older versions, converted to today's type. */
const OLDER: Record<string, (older: Record<string, unknown>) => object> = {
  cancel: ({ task }) => ({ ...(task === null ? { type: 'run.cancelled' } : { type: 'task.cancelled', task }), ...NEW }),
  claim: (older) => ({ ...older, type: 'attempt.asked', holder: null, ...NEW }),
  slots: (older) => ({ ...older, type: 'slots.changed', ...NEW }),
  priority: (older) => ({ ...older, type: 'priority.changed', ...NEW }),
  resolve: (older) => ({ ...older, type: 'task.resolved', ...NEW }),
  note: (older) => ({ ...older, type: 'attempt.noted', ...NEW }),
  report: ({ fact }) => fact as object,
  deliver: ({ fact, type: _, ...more }) => ({ ...(fact as object), ...more }),
}
const NEW = { request: null }

function today(value: unknown): unknown {
  const { type } = (value ?? {}) as { type?: unknown }
  return typeof type === 'string' && Object.hasOwn(OLDER, type)
    ? OLDER[type]?.(value as Record<string, unknown>)
    : value
}
