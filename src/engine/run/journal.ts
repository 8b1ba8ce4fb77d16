// The journal of a run, while this engine writes it: facts become its next events, and each goes into the store with the views
// it changes. One writer: if another engine's epoch or numbering has replaced this one, nothing is written.
import type { Event, Fact } from '../../event.ts'
import type { RunState } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import { isReplaced, storeInode } from '../../store/place.ts'
import type { RunSummary, TaskView } from '../../view.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'

export class Journal {
  readonly #locked: LockedWorkspace
  readonly #run: string
  /** Inode of the database: a removed file can be written without an error, and nobody would read that. */
  readonly #database: number
  #seq: number
  /** Events read to resume the run, with the first ones of this engine; dropped with the next write. */
  #past: Event[] | null
  #isBegun = false

  constructor(locked: LockedWorkspace, run: string, past: Event[] | null = null) {
    this.#locked = locked
    this.#run = run
    this.#database = storeInode(locked.folder.database)
    this.#seq = past?.at(-1)?.seq ?? 0
    this.#past = past
  }

  event(fact: Fact, at: number): Event {
    return { ...fact, seq: ++this.#seq, at }
  }

  /** `events` are applied to the state already. `removed`: another database is in its place. */
  async append(state: RunState, events: Event[], run: RunSummary): Promise<TaskView[] | 'fenced' | 'removed'> {
    const { folder, store } = this.#locked
    if (isReplaced(folder.database, this.#database)) return 'removed'
    const tasks = [...state.changed].map((index) => taskView(state, index))
    state.changed.clear()
    const written = await store.append(this.#run, events, { run, tasks })
    this.#past = this.#isBegun ? null : this.#past && [...this.#past, ...events]
    this.#isBegun = true
    return written === 'fenced' ? 'fenced' : tasks
  }

  events(): Promise<Event[]> | Event[] {
    return this.#past ?? this.#locked.store.events(this.#run)
  }
}

export function takenOverText(run: string): string {
  return `another engine has taken over run ${run}: this one leaves everything to it`
}
