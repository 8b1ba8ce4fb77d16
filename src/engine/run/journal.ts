// The journal of a run, while this engine writes it: facts become its next events, and each goes into the store with the views
// it changes. One writer: if another engine's epoch or numbering has replaced this one, nothing is written.
import type { Event, Fact } from '../../event.ts'
import type { RunState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import { isReplaced, storeInode } from '../../store/place.ts'
import type { RunSummary, TaskView } from '../../view.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'

export type Journal = ReturnType<typeof journalOf>

/** `read`: the events read to resume the run. */
export function journalOf({ folder, store }: LockedWorkspace, id: string, read: Event[] | null = null) {
  /** Inode of the database: a removed file can be written without an error, and nobody would read that. */
  const inode = storeInode(folder.database)
  let seq = read?.at(-1)?.seq ?? 0
  /** Events read to resume the run, then also the first that this engine writes; dropped with its second write. */
  let past = read
  let isBegun = false

  return {
    event(fact: Fact, at: number): Event {
      return { ...fact, seq: ++seq, at }
    },

    /** `events` are applied to the state already. `removed`: another database is in its place. */
    async append(state: RunState, events: Event[], run: RunSummary): Promise<TaskView[] | 'fenced' | 'removed'> {
      if (isReplaced(folder.database, inode)) return 'removed'
      const tasks = [...state.changed].map((index) => taskView(state, index))
      state.changed.clear()
      const written = await store.append(id, events, { run, tasks })
      past = isBegun ? null : past && [...past, ...events]
      isBegun = true
      return written === 'fenced' ? 'fenced' : tasks
    },

    events(): Promise<Event[]> | Event[] {
      return past ?? store.events(id)
    },
  }
}

export function takenOverText(run: string): string {
  return `another engine has taken over run ${run}: this one leaves everything to it`
}
