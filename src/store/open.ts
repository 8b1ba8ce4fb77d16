// Opens the store at a place: the only way to a database.
import { ok, type Result, refuse } from '../problem.ts'
import type { Database } from './database.ts'
import { isPostgresUrl, sqlitePath, storeName } from './place.ts'
import { postgresRefusal, postgresTrouble } from './postgres/trouble.ts'
import { openSqlite, sqliteRefusal, sqliteTrouble } from './sqlite/open.ts'
import type { Store } from './store.ts'
import { type Views, views } from './views.ts'

type StoreMode = 'write' | 'read'

/** Writing creates a missing store; reading refuses it. */
export async function openStore(url: string, mode: StoreMode = 'write'): Promise<Result<Store>> {
  const opened = await openDatabase(url, mode)
  if (!opened.ok) return opened
  // Loaded only here: it checks every event by a schema, and `status` has to load quickly.
  const { storeOver } = await import('./store.ts')
  return ok(storeOver(opened.value))
}

/** Opens only the views, which are derived from the journal and load quickly. */
export async function openViews(url: string): Promise<Result<Views & AsyncDisposable>> {
  const opened = await openDatabase(url, 'read')
  if (!opened.ok) return opened
  const db = opened.value
  return ok({ ...views(db), [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() })
}

async function openDatabase(url: string, mode: StoreMode): Promise<Result<Database>> {
  if (isPostgresUrl(url)) return (await import('./postgres/open.ts')).openPostgres(url, mode)
  const path = sqlitePath(url)
  return path.ok ? openSqlite(path.value, mode) : path
}

/** Applies missing migrations and returns their number. An SQLite file is migrated by every process that opens it. */
export async function migrateStore(url: string): Promise<Result<number>> {
  if (isPostgresUrl(url)) return (await import('./postgres/open.ts')).migratePostgresUrl(url)
  const opened = await openStore(url)
  if (!opened.ok) return opened
  await opened.value[Symbol.asyncDispose]()
  return ok(0)
}

/** Opens the store, uses it and closes it. Errors of the database are refusals. */
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

/** Runs `work`, and turns a damaged store or a full disk into a refusal. Other errors are bugs. */
export async function unlessStoreTrouble<T>(url: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work()
  } catch (error) {
    const why = storeRefusal(url, error)
    if (why === null) throw error
    return refuse(why)
  }
}

/** An error of the database or its disk, with advice. Null: neither is at fault, so it is a bug. */
export function storeTrouble(url: string, error: unknown): string | null {
  return isPostgresUrl(url) ? postgresTrouble(storeName(url), error) : sqliteTrouble(sqliteName(url), error)
}

/** Like `storeTrouble`, with a message for any other error of the database. Null: the error is not from the database. */
function storeRefusal(url: string, error: unknown): string | null {
  return isPostgresUrl(url) ? postgresRefusal(storeName(url), error) : sqliteRefusal(sqliteName(url), error)
}

function sqliteName(url: string): string {
  const path = sqlitePath(url)
  return path.ok ? path.value : url
}
