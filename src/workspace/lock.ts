// Being the one engine of a repository (I16): the lock, a store to write to and the engine's own repository.
import { mkdir } from 'node:fs/promises'
import { type EngineRepository, openEngineRepository, removeStaleLocks } from '../git/engine/repository.ts'
import { useGitRunner } from '../git/run/runner.ts'
import { removeOwnLocks } from '../git/user/publish.ts'
import type { UserRepository } from '../git/user/repository.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { acquireLock } from '../process/lock.ts'
import { processTableTrouble } from '../process/tree/identity.ts'
import { openStore, unlessStoreTrouble } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { checkPlace, unlessUnwritable } from './check-state-folder.ts'
import type { StateFolder } from './state-folder.ts'
import type { Workspace } from './workspace.ts'

export type LockedWorkspace = {
  user: UserRepository
  engine: EngineRepository
  folder: StateFolder
  store: Store
  resources: AsyncDisposable
}

/** All of it is given back if `use` refuses or throws. `looked`: by whoever has just looked at the user's repository. */
export async function lockWorkspace<T>(
  workspace: Workspace,
  use: (locked: LockedWorkspace) => Promise<Result<T>>,
  looked?: UserRepository,
): Promise<Result<T>> {
  const trouble = processTableTrouble()
  if (trouble !== null) return refuse(trouble)
  const user = looked ? ok(looked) : await workspace.user()
  if (!user.ok) return user
  const { folder } = workspace
  const problems = await checkPlace(user.value, folder)
  if (problems.length > 0) return { ok: false, problems }
  return unlessUnwritable(folder, () => underLock(user.value, folder, use))
}

async function underLock<T>(
  user: UserRepository,
  folder: StateFolder,
  use: (locked: LockedWorkspace) => Promise<Result<T>>,
): Promise<Result<T>> {
  await mkdir(folder.runs, { recursive: true, mode: 0o700 })
  const locked = await acquireLock(folder.lock, 'engine')
  if (!locked.ok) {
    const who = locked.holder ? ` (process ${locked.holder.pid})` : ''
    return refuse(
      `another espalier is working on this repository${who}: follow it with \`espalier status --watch\`, interrupt it with Ctrl-C where it runs, or end it for good with \`espalier cancel\``,
    )
  }
  const gitRunner = useGitRunner()
  const store = await openStore(folder.database)
  const resources: AsyncDisposable = {
    async [Symbol.asyncDispose]() {
      gitRunner[Symbol.dispose]()
      if (store.ok) await store.value[Symbol.asyncDispose]()
      await locked.lock[Symbol.asyncDispose]()
    },
  }
  let kept = false
  try {
    if (!store.ok) return store
    const engine = await openEngineRepository(folder.root, user)
    await removeStaleLocks(engine)
    await removeOwnLocks(engine)
    const opened = { user, engine, folder, store: store.value, resources }
    const result = await unlessStoreTrouble(folder.database, () => use(opened))
    kept = result.ok
    return result
  } finally {
    if (!kept) await resources[Symbol.asyncDispose]()
  }
}
