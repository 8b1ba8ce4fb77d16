// Claims that people hold.
import type { Hold } from '../view.ts'
import { type Database, insert, type Row, type Work } from './database.ts'
import { sql } from './sql.ts'
import type { HoldStore } from './store.ts'

export function holds(db: Database): HoldStore {
  const { isOneOf } = db.words
  return {
    holds: (now) => db.all(sql`select * from hold where until > ${now} order by id`, holdOf),

    async addHolds(wanted, now, most) {
      return db.write(function* () {
        // From here on nobody else takes numbers, so two do not both find room for the last one.
        yield* db.take('hold', 0)
        const isSame = (one: Hold) => wanted.some(({ name, glob }) => name === one.name && glob === one.glob)
        const there = (yield sql`select * from hold where until > ${now}`).map(holdOf)
        const kept = there.filter((one) => !isSame(one)).map(({ id }) => id)
        if (kept.length + wanted.length > most) return null
        yield sql`delete from hold where not (id ${isOneOf(kept)})`
        let id = yield* db.take('hold', wanted.length)
        const added = wanted.map(({ name, glob, since, until }) => ({ id: id++, name, glob, since, until }))
        yield insert('hold', added)
        return added
      })
    },

    async removeHolds(ids) {
      const removed = await db.write(function* (): Work<Row[]> {
        return yield sql`delete from hold where id ${isOneOf(ids)} returning *`
      })
      return removed.map(holdOf).sort((a, b) => a.id - b.id)
    },
  }
}

function holdOf({ id, name, glob, since, until }: Row): Hold {
  return {
    ...{ id: Number(id), name: String(name), glob: String(glob) },
    ...{ since: Number(since), until: Number(until) },
  }
}
