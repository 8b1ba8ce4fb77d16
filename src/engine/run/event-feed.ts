// Hands the events of a run to whoever watches, each watcher at its own pace. A watcher that stops reading is let go
// once it is far behind: nobody's slow terminal may hold the engine up or fill its memory.
import type { Event, Progress } from '../../event.ts'

const MAX_BEHIND = 100_000

export class EventFeed {
  readonly #watchers = new Set<Watcher>()
  #closed = false

  publish(event: RunEvent): void {
    for (const watcher of this.#watchers) if (!watcher.push(event)) this.#watchers.delete(watcher)
  }

  close(): void {
    this.#closed = true
    for (const watcher of this.#watchers) watcher.end()
    this.#watchers.clear()
  }

  /** Everything published from now on. `before` comes first. */
  watch(before: RunEvent[]): AsyncIterableIterator<RunEvent> {
    const watcher = new Watcher(before, () => this.#watchers.delete(watcher))
    if (this.#closed) watcher.end()
    else this.#watchers.add(watcher)
    return watcher
  }
}

class Watcher implements AsyncIterableIterator<RunEvent> {
  #queue: RunEvent[]
  #wake: (() => void) | null = null
  #ended = false
  readonly #leave: () => void

  constructor(before: RunEvent[], leave: () => void) {
    this.#queue = [...before]
    this.#leave = leave
  }

  push(event: RunEvent): boolean {
    this.#queue.push(event)
    this.#wake?.()
    if (this.#queue.length <= MAX_BEHIND) return true
    this.end()
    return false
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async next(): Promise<IteratorResult<RunEvent>> {
    while (this.#queue.length === 0) {
      if (this.#ended) return { done: true, value: undefined }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
    }
    return { done: false, value: this.#queue.shift() as RunEvent }
  }

  async return(): Promise<IteratorResult<RunEvent>> {
    this.end()
    this.#leave()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

/** Every event of the journal and, not journalled, what agents say while they work and what the plan file does not say. */
export type RunEvent = Event | Progress | Unwritten

/** What could not be written back into the plan file. */
export type Unwritten = { type: 'plan-file.unwritten'; at: number; message: string }
