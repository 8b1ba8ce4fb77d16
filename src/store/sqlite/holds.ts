// Claims that people hold, on SQLite.
import type { Hold } from '../../view.ts'
import type { HoldStore } from '../store.ts'
import type { Database } from './database.ts'

export function holds(db: Database): HoldStore {
  const endingAfter = (now: number): Hold[] => {
    const rows = db.sql('select id, name, glob, since, until from hold where until > ? order by id').all(now)
    return rows.map(({ id, name, glob, since, until }) => ({
      ...{ id: Number(id), name: String(name), glob: String(glob) },
      ...{ since: Number(since), until: Number(until) },
    }))
  }
  const insert = ({ name, glob, since, until }: Omit<Hold, 'id'>): number => {
    const sql = db.sql('insert into hold (name, glob, since, until) values (?, ?, ?, ?)')
    return Number(sql.run(name, glob, since, until).lastInsertRowid)
  }
  const remove = (id: number) => db.sql('delete from hold where id = ?').run(id)

  return {
    async holds(now) {
      return endingAfter(now)
    },

    async addHolds(wanted, now, most) {
      return db.transaction(() => {
        const isSame = (one: Hold) => wanted.some(({ name, glob }) => name === one.name && glob === one.glob)
        const kept = endingAfter(now).filter((one) => !isSame(one))
        if (kept.length + wanted.length > most) return null
        const ids = new Set(kept.map(({ id }) => id))
        for (const { id } of endingAfter(Number.NEGATIVE_INFINITY)) if (!ids.has(id)) remove(id)
        return wanted.map((one) => ({ ...one, id: insert(one) }))
      })
    },

    async removeHolds(ids) {
      return db.transaction(() => {
        const removed = endingAfter(Number.NEGATIVE_INFINITY).filter(({ id }) => ids.includes(id))
        for (const { id } of removed) remove(id)
        return removed
      })
    },
  }
}
