// Being the one engine of a repository (I16): the lock, a store to write to and the engine's own repository.
// Waiting for the lead: a second coordinator that takes over when the first is gone, on the same machine or on another.
import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '../config.ts'
import { type EngineRepository, openEngineRepository, removeStaleLocks } from '../git/engine/engine-repository.ts'
import { engineTrouble } from '../git/engine/engine-trouble.ts'
import { shareRefs } from '../git/engine/shared-repository.ts'
import { machineTroubleText } from '../git/run/machine-trouble.ts'
import { objectInfo } from '../git/run/read-objects.ts'
import { useGitRunner } from '../git/run/runner-client.ts'
import { removeOwnLocks } from '../git/user/publish.ts'
import type { UserRepository } from '../git/user/repository.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { acquireLock, lockHolder } from '../process/lock.ts'
import { processTableTrouble } from '../process/tree/identity.ts'
import { openStore, unlessStoreTrouble, withStore } from '../store/open.ts'
import { isPostgresUrl, storeExists, storeName } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import { checkPlace, unlessUnwritable } from './check-state-folder.ts'
import { notedStore, noteStore, ownStore, type StateFolder, storeNote } from './state-folder.ts'
import type { Workspace } from './workspace.ts'

export type LockedWorkspace = {
  workspace: Workspace
  user: UserRepository
  engine: EngineRepository
  folder: StateFolder
  store: Store
  resources: AsyncDisposable
}

/** Releases everything if `use` refuses or throws. `looked`: the user's repository, if the caller has just looked at it. */
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
  return unlessUnwritable(folder, () => underLock(user.value, workspace, use))
}

async function underLock<T>(
  user: UserRepository,
  workspace: Workspace,
  use: (locked: LockedWorkspace) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { folder } = workspace
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
    const result = await unlessStoreTrouble(folder.database, async () => {
      const engine = await leadingEngine(user, workspace, store.value)
      return engine.ok ? use({ workspace, user, engine: engine.value, folder, store: store.value, resources }) : engine
    })
    kept = result.ok
    return result
  } finally {
    if (!kept) await resources[Symbol.asyncDispose]()
  }
}

/** Takes the lead in the store, and opens the engine's repository. */
async function leadingEngine(
  user: UserRepository,
  { folder, engineRepository }: Workspace,
  store: Store,
): Promise<Result<EngineRepository>> {
  const left = await leftBehind(folder, store)
  if (left !== null) return refuse(left)
  const lead = await store.takeLead({ host: hostname(), pid: process.pid, place: folder.root, at: Date.now() })
  if (!lead.ok) {
    const who = lead.leader ? `process ${lead.leader.pid} on ${lead.leader.host}` : 'another machine'
    return refuse(
      `${who} leads the runs in ${storeName(folder.database)}: follow it with \`espalier status --watch\`, or start with --standby to take over when it is gone`,
    )
  }
  const engine = await openEngineRepository(folder.root, user, engineRepository)
  const unwritable = engineTrouble(engine)
  if (unwritable !== null) return refuse(machineTroubleText(unwritable))
  await removeStaleLocks(engine)
  await removeOwnLocks(engine)
  const trouble = (await shareRefs(engine)) ?? (await ofAnotherRepository(folder, store, engine))
  if (trouble !== null) return refuse(trouble)
  await noteStore(folder.root, folder.database)
  return ok(engine)
}

/** Refuses a database with the runs of another repository: they would be mixed. Null: they are of this one, as far as commits tell. */
async function ofAnotherRepository(
  { database }: StateFolder,
  store: Store,
  engine: EngineRepository,
): Promise<string | null> {
  if (!isPostgresUrl(database)) return null
  const [newest, ...more] = await store.runs(LOOKED_AT)
  if (!newest) return null
  for (const { base } of [newest, ...more]) if (await objectInfo(engine, base)) return null
  return `the runs in ${storeName(database)} are of ${newest.repo}, and no commit they began with is in ${engine.user.top}: name a project of its own with ?schema=NAME, or fetch ${newest.base.slice(0, 12)} first where it is the same repository`
}

const LOOKED_AT = 5

/** Refuses if runs of this folder are only in the store it had before: they would not be shown. Null: none are missing. */
async function leftBehind({ root, database }: StateFolder, store: Store): Promise<string | null> {
  const before = notedStore(root) ?? ownStore(root)
  if (before === database || !storeExists(before)) return null
  const known = new Set(await store.runIds())
  const old = await withStore(before, 'read', async (views) => ok(await views.runIds()))
  if (!old.ok)
    return `the runs of ${root} are in ${storeName(before)}, which cannot be read: ${old.problems[0]?.message}`
  const missing = old.value.filter((run) => !known.has(run))
  if (missing.length === 0) return null
  const [from, to] = [storeName(before), storeName(database)]
  const kept = isPostgresUrl(before) ? storeNote(root) : before
  return `the runs of ${root} are in ${from}, and ${missing[0]} is not in ${to}: name another folder with --state-dir, or move ${kept} away, because a new store begins empty`
}

/** The current leader; null: none. */
export async function isLed(workspace: Workspace): Promise<Result<{ pid: number; host: string | null } | null>> {
  const here = lockHolder(workspace.folder.lock)
  return here ? ok({ pid: here.pid, host: null }) : workspace.readViews(null, (views) => views.leading())
}

/**
 * Resolves when nobody leads, or the signal comes. A leader that was cut off for a moment, by a server that was restarted for
 * example, is given the time to come back first.
 */
export async function awaitLead(
  workspace: Workspace,
  { signal, tell }: { signal?: AbortSignal | undefined; tell: (holder: { pid: number; host: string | null }) => void },
): Promise<void> {
  let freeSince: number | null = null
  let told: { pid: number; host: string | null } | null = null
  for (let isFirst = true; !signal?.aborted; isFirst = false) {
    const led = await isLed(workspace)
    const now = performance.now()
    if (!led.ok) freeSince = null
    else if (led.value === null) {
      freeSince ??= now
      if (isFirst || now - freeSince >= LIMITS.standbyGraceMs) return
    } else {
      freeSince = null
      // Other commands here find the store from now on: it was named once.
      if (told === null) await workspace.write(async () => ok(undefined))
      const isNew = led.value.pid !== told?.pid || led.value.host !== told.host
      told = led.value
      if (isNew) tell(told)
    }
    await wait(LIMITS.standbyPollMs, null, { signal }).catch(() => {})
  }
}
