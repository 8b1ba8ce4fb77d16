// Claims that people hold, on Postgres.
import type { Hold } from '../../claim.ts'
import type { HoldStore } from '../store.ts'
import type { Row } from './connection.ts'
import type { Database } from './database.ts'

export function holds(db: Database): HoldStore {
  return {
    async holds(now) {
      return (await db.sql('select * from hold where until > $1 order by id', [now])).map(holdOf)
    },

    async addHolds(wanted, now, most) {
      return db.write(async (sql) => {
        // One at a time, so that two do not both find room for the last.
        await sql('lock table hold in share row exclusive mode')
        const isSame = (one: Hold) => wanted.some(({ name, glob }) => name === one.name && glob === one.glob)
        const there = (await sql('select * from hold order by id')).map(holdOf)
        const kept = there.filter((one) => one.until > now && !isSame(one)).map(({ id }) => id)
        if (kept.length + wanted.length > most) return null
        await sql('delete from hold where not (id = any($1))', [kept])
        const added: Hold[] = []
        for (const one of wanted) {
          const values = [one.name, one.glob, one.since, one.until]
          const [row] = await sql(
            'insert into hold (name, glob, since, until) values ($1, $2, $3, $4) returning id',
            values,
          )
          added.push({ ...one, id: Number(row?.id) })
        }
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
