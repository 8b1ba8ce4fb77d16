// Claims that people hold, on Postgres.
import type { Hold } from '../../view.ts'
import type { HoldStore } from '../store.ts'
import type { Row } from './connection.ts'
import { type Database, takeNumbers } from './database.ts'

export function holds(db: Database): HoldStore {
  return {
    async holds(now) {
      return (await db.sql('select * from hold where until > $1 order by id', [now])).map(holdOf)
    },

    async addHolds(wanted, now, most) {
      return db.write(async (sql) => {
        // One at a time, so that two do not both find room for the last: the row of the counter is held from here on.
        await takeNumbers(sql, 'hold', 0)
        const isSame = (one: Hold) => wanted.some(({ name, glob }) => name === one.name && glob === one.glob)
        const there = (await sql('select * from hold order by id')).map(holdOf)
        const kept = there.filter((one) => one.until > now && !isSame(one)).map(({ id }) => id)
        if (kept.length + wanted.length > most) return null
        await sql('delete from hold where not (id = any($1))', [kept])
        let id = await takeNumbers(sql, 'hold', wanted.length)
        const added = wanted.map((one) => ({ ...one, id: id++ }))
        for (const one of added)
          await sql('insert into hold (id, name, glob, since, until) values ($1, $2, $3, $4, $5)', [
            ...[one.id, one.name, one.glob, one.since, one.until],
          ])
        return added
      })
    },

    async removeHolds(ids) {
      const removed = await db.write((sql) => sql('delete from hold where id = any($1) returning *', [ids]))
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
