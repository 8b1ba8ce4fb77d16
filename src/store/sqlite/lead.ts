// Who may append, on SQLite. Who holds the file's lock is known by the lock of the state folder (workspace/lock.ts): what
// takes the lead here always gets it.
import { parseLeader } from '../leader.ts'
import type { LeadStore } from '../store.ts'
import type { Database } from './database.ts'

/** `isOurs`: inside the transaction that appends. */
export function lead(db: Database): LeadStore & { isOurs(): boolean } {
  const fenced = new AbortController()
  let epoch: number | null = null
  return {
    fenced: fenced.signal,

    isOurs() {
      const isOurs = epoch === null || db.sql('select epoch from lead').get()?.epoch === epoch
      if (!isOurs) fenced.abort()
      return isOurs
    },

    async takeLead(leader) {
      // All rows, though there is one: after the first the statement is not over, and a full disk not noticed yet.
      const [row] = db.sql('update lead set epoch = epoch + 1, leader = ? returning epoch').all(JSON.stringify(leader))
      epoch = Number(row?.epoch)
      return { ok: true, epoch }
    },

    async leader() {
      return parseLeader(db.sql('select leader from lead').get()?.leader)
    },
  }
}
