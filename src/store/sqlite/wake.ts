// Waiting for news in the state database without asking it all the time. A commit is written to the write-ahead log first,
// the file system tells of that, and the database itself then says whether there is anything new.
//
// Tolerated: a write that is not committed yet when the file system tells of it (it is looked for again, soon and then ever
// later), one told of twice, and a file system that tells nothing: then the database is asked once a second.
import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { LIMITS } from '../../config.ts'
import { Bell } from '../bell.ts'
import type { ChangesOptions } from '../database.ts'

/** True at once and whenever `stamp` has changed; false: only time has passed. Ends with the signal. */
export async function* wakes(
  path: string,
  stamp: () => number,
  { signal, atLeastEveryMs = Number.POSITIVE_INFINITY }: ChangesOptions,
): AsyncGenerator<boolean, void, void> {
  const bell = new Bell()
  const watcher = watcherOf(path, () => bell.ring())
  const leave = () => bell.end()
  signal?.addEventListener('abort', leave)
  // A database that cannot be asked counts as news: the caller reads then, and meets the trouble.
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
      // A transaction writes several times, and so do several in a row: one look for all of that.
      if (rang) await bell.quiet(LIMITS.storeWakeMs)
      waitMs = rang ? LIMITS.storeWakeMs : Math.min(waitMs * 2, LIMITS.storePollMs)
    }
  } finally {
    watcher?.close()
    signal?.removeEventListener('abort', leave)
  }
}

/** Watches the folder: the log itself goes and comes. Null where the system has no more watchers, or none at all. */
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
