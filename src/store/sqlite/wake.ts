// Waits for changes of the state database without constant polling. A commit is first written to the write-ahead log; the file
// system reports that, and a query then shows whether anything is new.
//
// Tolerated: a write reported before it is committed (the database is asked again, soon and then at growing intervals), one
// reported twice, and a file system that reports nothing: then the database is asked once a second.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { LIMITS } from '../../config.ts'
import { Bell } from '../bell.ts'
import type { ChangesOptions } from '../database.ts'

/** Yields true at once and whenever `stamp` has changed; false: only time has passed. Ends with the signal. */
export async function* wakes(
  path: string,
  stamp: () => number,
  { signal, atLeastEveryMs = Number.POSITIVE_INFINITY }: ChangesOptions,
): AsyncGenerator<boolean, void, void> {
  const bell = new Bell()
  const watcher = watcherOf(path, () => bell.ring())
  const leave = () => bell.end()
  signal?.addEventListener('abort', leave)
  // An error counts as news: the caller then reads, and gets the error.
  const ask = () => {
    try {
      return stamp()
    } catch {
      return Number.NaN
    }
  }
  try {
    let last = ask()
    let waitMs: number = LIMITS.storePollMs
    let lastAt = performance.now()
    yield true
    while (!signal?.aborted) {
      const now = ask()
      const leftMs = lastAt + atLeastEveryMs - performance.now()
      if (now !== last || leftMs <= 0) {
        const isNews = now !== last
        last = now
        lastAt = performance.now()
        waitMs = LIMITS.storePollMs
        yield isNews
        continue
      }
      const rang = await bell.rings(Math.min(waitMs, leftMs))
      // A transaction writes several times, and commits come in groups: one wake for all of them.
      if (rang) await bell.quiet(LIMITS.storeWakeMs)
      waitMs = rang ? LIMITS.storeWakeMs : Math.min(waitMs * 2, LIMITS.storePollMs)
    }
  } finally {
    watcher?.close()
    signal?.removeEventListener('abort', leave)
  }
}

/** Watches the folder, because the log file is removed and created again. Null: the system has no watcher left, or none at all. */
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
