// Opening the store, by the path of an SQLite file or a URL (`sqlite:/path/state.db`): the only way to a database.
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ok, type Result, refuse } from '../problem.ts'
import { sqliteRefusal, sqliteTrouble } from './sqlite/open.ts'
import { openSqliteViews } from './sqlite/views.ts'
import type { Store, Views } from './store.ts'

export type StoreMode = 'write' | 'read'

/** Opened for writing it is made where there is none; for reading it is refused then. */
export async function openStore(url: string, mode: StoreMode = 'write'): Promise<Result<Store>> {
  const path = sqlitePath(url)
  if (!path.ok) return path
  // Loaded here: it checks every event by a schema, and `status` has to be quick to load.
  const { openSqliteStore } = await import('./sqlite/store.ts')
  return openSqliteStore(path.value, mode)
}

/** What was derived from the journal, and nothing else: quick to load. */
export async function openViews(url: string): Promise<Result<Views & AsyncDisposable>> {
  const path = sqlitePath(url)
  return path.ok ? openSqliteViews(path.value) : path
}

/** Opens it, uses it and closes it. What the database does not allow is a refusal. */
export async function withStore<T>(
  url: string,
  mode: StoreMode,
  use: (store: Store) => Promise<Result<T>>,
): Promise<Result<T>> {
  const opened = await openStore(url, mode)
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessStoreTrouble(url, () => use(store))
}

/** What `work` gives, or a refusal where the store turns out to be damaged or its disk full. Other errors are bugs. */
export async function unlessStoreTrouble<T>(url: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    const path = sqlitePath(url)
    const why = path.ok ? sqliteRefusal(path.value, error) : null
    if (why === null) throw error
    return refuse(why)
  }
}

/** What the database or its disk did not allow, and what to do about it. Null: neither is to blame, so it is a bug. */
export function storeTrouble(url: string, error: unknown): string | null {
  const path = sqlitePath(url)
  return path.ok ? sqliteTrouble(path.value, error) : null
}

function sqlitePath(url: string): Result<string> {
  const [, scheme] = /^([a-z][a-z0-9+.-]+):/i.exec(url) ?? []
  if (scheme === undefined || isAbsolute(url)) return ok(url)
  switch (scheme.toLowerCase()) {
    case 'file':
      return ok(fileURLToPath(url))
    case 'sqlite':
      return ok(decodeURIComponent(new URL(url).pathname))
    case 'postgres':
    case 'postgresql':
      return refuse('this version of espalier keeps its state in an SQLite file, not in Postgres: name a path instead')
    default:
      return refuse(`${scheme}: names no database that espalier knows: name the path of an SQLite file instead`)
  }
}
