// Waiting for news in the state database, without asking it all the time. Whoever writes it writes its write-ahead log
// first, and the file system tells of that; the database itself then says whether there is anything new.
//
// Tolerated: a write that is told of and not committed yet (it is looked for again, soon and then ever later), one told of
// twice, and a file system that tells nothing: then it is looked for once a second.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { LIMITS } from '../../config.ts'

type WakeOptions = {
  signal?: AbortSignal | undefined
  atLeastEveryMs?: number | undefined
}

/** `stamp` is another one when there is news. Yields true at once and whenever there is; false: only time has passed. Ends with the signal. */
export async function* wakes(
  path: string,
  stamp: () => number,
  { signal, atLeastEveryMs = Number.POSITIVE_INFINITY }: WakeOptions,
): AsyncGenerator<boolean, void, void> {
  using bell = new Bell(path, signal)
  // One that cannot be asked for counts as news: whoever reads then meets the trouble.
  const ask = () => {
    try {
      return stamp()
    } catch {
      return Number.NaN
    }
  }
  let known = ask()
  let waitMs: number = LIMITS.storePollMs
  let lastAt = performance.now()
  const woken = () => {
    lastAt = performance.now()
    waitMs = LIMITS.storePollMs
  }
  yield true
  while (!signal?.aborted) {
    const now = ask()
    if (now !== known) {
      known = now
      woken()
      yield true
      continue
    }
    const leftMs = lastAt + atLeastEveryMs - performance.now()
    if (leftMs <= 0) {
      woken()
      yield false
      continue
    }
    const rang = await bell.rings(Math.min(waitMs, leftMs))
    // A transaction writes several times, and so do several in a row: one look for all of that.
    if (rang) await bell.quiet(LIMITS.storeWakeMs)
    waitMs = rang ? LIMITS.storeWakeMs : Math.min(waitMs * 2, LIMITS.storePollMs)
  }
}

class Bell implements Disposable {
  readonly #watcher: FSWatcher | null
  readonly #signal: AbortSignal | undefined
  #rang = false
  #wake: (() => void) | null = null
  readonly #abort = () => this.#wake?.()

  constructor(path: string, signal: AbortSignal | undefined) {
    this.#signal = signal
    signal?.addEventListener('abort', this.#abort)
    this.#watcher = watcherOf(path, () => {
      this.#rang = true
      this.#wake?.()
    })
  }

  async rings(withinMs: number): Promise<boolean> {
    if (!this.#rang) await this.#sleep(withinMs)
    const rang = this.#rang
    this.#rang = false
    return rang
  }

  async quiet(ms: number): Promise<void> {
    const end = performance.now() + ms
    for (let left = ms; left > 0 && !this.#signal?.aborted; left = end - performance.now()) await this.#sleep(left)
    this.#rang = false
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#signal?.aborted) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    this.#wake = null
  }

  [Symbol.dispose](): void {
    this.#watcher?.close()
    this.#signal?.removeEventListener('abort', this.#abort)
  }
}

/** Of its folder: the log itself goes and comes. Null where the system has no more of them, or none at all. */
function watcherOf(path: string, ring: () => void): FSWatcher | null {
  const log = `${basename(path)}-wal`
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name === log) ring()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
