// Current activity of agents, for watchers in other processes. Written a few times a second in one go, however many agents
// there are. Nothing depends on it: errors are ignored.
import { LIMITS } from '../../config.ts'
import type { Progress } from '../../event.ts'
import type { FeedStore } from '../../store/store.ts'

export class ProgressLog implements AsyncDisposable {
  readonly #store: Pick<FeedStore, 'addProgress'>
  readonly #run: string
  #waiting: Progress[] = []
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(store: Pick<FeedStore, 'addProgress'>, run: string) {
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
