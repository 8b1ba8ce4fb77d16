// Looking into the state folder from any process, also while an engine writes. Reads the views of the store; takes no lock.
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ok, type Result, refuse } from '../problem.ts'
import { lockHolder } from '../process/lock.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteViews } from '../store/sqlite/views.ts'
import type { Views } from '../store/store.ts'
import { type StateFolder, stateFolder } from './folder.ts'

export type Where = {
  /** Any path inside the checkout. */
  repo: string
  stateDir?: string | null | undefined
}

/** Whether there may have been one: a repository without runs may have had some that are removed. */
export async function hadRuns(where: Where): Promise<boolean> {
  const folder = await folderOf(where)
  return folder.ok && existsSync(folder.value.database)
}

/** Whether an engine works on this repository, and which. */
export function engineAt(folder: StateFolder): { pid: number } | null {
  const holder = lockHolder(folder.lock)
  return holder && { pid: holder.pid }
}

export async function folderOf(where: Where): Promise<Result<StateFolder>> {
  const start = await realpath(resolve(where.repo)).catch(() => null)
  for (let folder = start; folder !== null; folder = dirname(folder) === folder ? null : dirname(folder))
    if (existsSync(join(folder, '.git'))) return ok(stateFolder(folder, where.stateDir ?? null))
  return refuse(`${where.repo} is not inside a git repository: name one with --repo`)
}

/** Where pages go that nobody has named a place for: never into the checkout. It need not be there yet. */
export async function reportsFolder(where: Where): Promise<Result<string>> {
  const folder = await folderOf(where)
  return folder.ok ? ok(folder.value.reports) : folder
}

export async function reading<T>(
  where: Where,
  nothing: T,
  use: (store: Views, folder: StateFolder) => Promise<T>,
): Promise<Result<T>> {
  const folder = await folderOf(where)
  if (!folder.ok) return folder
  if (!existsSync(folder.value.database)) return ok(nothing)
  const opened = openSqliteViews(folder.value.database)
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessDamaged(folder.value.database, async () => ok(await use(store, folder.value)))
}
