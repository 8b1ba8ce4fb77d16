// Claims that people hold, on SQLite.
import type { Hold } from '../../claim.ts'
import type { HoldStore } from '../store.ts'
import { SqliteLearning } from './learning.ts'

export class SqliteHolds extends SqliteLearning implements HoldStore {
  async holds(now: number): Promise<Hold[]> {
    return this.#after(now)
  }

  async addHolds(holds: readonly Omit<Hold, 'id'>[], now: number, most: number): Promise<Hold[] | null> {
    let added: Hold[] | null = null
    this.transaction(() => {
      const same = (one: Hold) => holds.some(({ name, glob }) => name === one.name && glob === one.glob)
      const kept = this.#after(now).filter((one) => !same(one))
      if (kept.length + holds.length > most) return
      const ids = new Set(kept.map(({ id }) => id))
      for (const { id } of this.#after(Number.NEGATIVE_INFINITY)) if (!ids.has(id)) this.#remove(id)
      added = holds.map((one) => ({ ...one, id: this.#insert(one) }))
    })
    return added
  }

  async removeHolds(ids: readonly number[]): Promise<Hold[]> {
    let removed: Hold[] = []
    this.transaction(() => {
      removed = this.#after(Number.NEGATIVE_INFINITY).filter(({ id }) => ids.includes(id))
      for (const { id } of removed) this.#remove(id)
    })
    return removed
  }

  #after(now: number): Hold[] {
    const rows = this.sql('select id, name, glob, since, until from hold where until > ? order by id').all(now)
    return rows.map(({ id, name, glob, since, until }) => ({
      ...{ id: Number(id), name: String(name), glob: String(glob) },
      ...{ since: Number(since), until: Number(until) },
    }))
  }

  #insert({ name, glob, since, until }: Omit<Hold, 'id'>): number {
    const sql = this.sql('insert into hold (name, glob, since, until) values (?, ?, ?, ?)')
    return Number(sql.run(name, glob, since, until).lastInsertRowid)
  }

  #remove(id: number): void {
    this.sql('delete from hold where id = ?').run(id)
  }
}
