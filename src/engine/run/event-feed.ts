// Hands the events of a run to watchers, each at its own pace. A watcher that is far behind is dropped: a slow terminal must
// not hold up the engine or fill its memory.
import { Pause } from '../../async/pause.ts'
import { LIMITS } from '../../config.ts'
import type { Event, Progress } from '../../event.ts'
import type { Store } from '../../store/store.ts'

const MAX_BEHIND = 100_000

export class EventFeed {
  readonly #watchers = new Set<Watcher>()
  #isClosed = false

  publish(event: RunEvent): void {
    for (const watcher of this.#watchers) {
      if (watcher.queue.push(event) > MAX_BEHIND) this.#watchers.delete(watcher)
      watcher.pause.cutShort()
    }
  }

  close(): void {
    this.#isClosed = true
    const watchers = [...this.#watchers]
    this.#watchers.clear()
    for (const { pause } of watchers) pause.cutShort()
  }

  /** Yields past events, then everything from now on. */
  async *watch(past: () => Event[] | Promise<Event[]>): AsyncGenerator<RunEvent, void, void> {
    const watcher: Watcher = { queue: [], pause: new Pause() }
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
        else await watcher.pause.take(Number.POSITIVE_INFINITY)
      }
    } finally {
      this.#watchers.delete(watcher)
    }
  }
}

type Watcher = { queue: RunEvent[]; pause: Pause }

/** Events of the journal, and two kinds that are not journalled: progress of agents, and statuses missing in the plan file. */
export type RunEvent = Event | Progress | { type: 'plan-file.unwritten'; at: number; message: string }

/**
 * Current activity of agents, for watchers in other processes. Written a few times a second in one go, however many agents there
 * are. Nothing depends on it: errors are ignored.
 */
export class ProgressLog implements AsyncDisposable {
  readonly #store: Pick<Store, 'addProgress'>
  readonly #run: string
  #waiting: Progress[] = []
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(store: Pick<Store, 'addProgress'>, run: string) {
    this.#store = store
    this.#run = run
  }

  push(progress: Progress): void {
    if (this.#closed) return
    if (this.#waiting.push(progress) > LIMITS.progressKept) this.#waiting.shift()
    this.#timer ??= setTimeout(() => void this.#write(), LIMITS.progressWriteMs).unref()
  }

  /** Another engine has the run: nothing more is written. */
  abandon(): void {
    this.#closed = true
    this.#waiting = []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    await this.#write()
  }

  async #write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const waiting = this.#waiting.splice(0)
    if (waiting.length > 0) await this.#store.addProgress(this.#run, waiting).catch(() => {})
  }
}
