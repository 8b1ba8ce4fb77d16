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
      // In a transaction: alone, the statement would be over before a full disk is noticed.
      const taken = db.transaction(() =>
        Number(
          db.sql('update lead set epoch = epoch + 1, leader = ? returning epoch').get(JSON.stringify(leader))?.epoch,
        ),
      )
      epoch = taken
      return { ok: true, epoch: taken }
    },

    async leader() {
      return parseLeader(db.sql('select leader from lead').get()?.leader)
    },
  }
}
