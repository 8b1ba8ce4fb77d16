// Hands the events of a run to whoever watches, each watcher at its own pace. A watcher that stops reading is let go
// once it is far behind: nobody's slow terminal may hold the engine up or fill its memory.
import type { Event, Progress } from '../../event.ts'
import type { PlanFileEvent } from '../../plan-file-note.ts'

const MAX_BEHIND = 100_000

export class EventFeed {
  readonly #watchers = new Set<Watcher>()
  #isClosed = false

  publish(event: RunEvent): void {
    for (const watcher of this.#watchers) {
      if (watcher.queue.push(event) > MAX_BEHIND) this.#watchers.delete(watcher)
      watcher.wake()
    }
  }

  close(): void {
    this.#isClosed = true
    const watchers = [...this.#watchers]
    this.#watchers.clear()
    for (const { wake } of watchers) wake()
  }

  /** What was published before, and everything from now on. */
  async *watch(past: () => Event[] | Promise<Event[]>): AsyncGenerator<RunEvent, void, void> {
    const watcher: Watcher = { queue: [], wake: () => {} }
    if (!this.#isClosed) this.#watchers.add(watcher)
    try {
      let last = 0
      for (const event of await past()) {
        last = event.seq
        yield event
      }
      for (;;) {
        const event = watcher.queue.shift()
        if (event && !('seq' in event && event.seq <= last)) yield event
        else if (event) continue
        else if (!this.#watchers.has(watcher)) return
        else await new Promise<void>((resolve) => Object.assign(watcher, { wake: resolve }))
      }
    } finally {
      this.#watchers.delete(watcher)
    }
  }
}

type Watcher = { queue: RunEvent[]; wake(): void }

/** Every event of the journal and, not journalled, what agents say while they work and what the plan file does not say. */
export type RunEvent = Event | Progress | PlanFileEvent
