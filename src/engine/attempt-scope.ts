// The door of the task manager: whoever comes in speaks for one attempt, and can prove it. Nothing is written for
// anybody else, and nothing for an attempt that is over.
import { timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ok, type Result, refuse } from '../problem.ts'
import type { AttemptView, TaskView } from '../status.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import type { AttemptIdentity } from './attempt-identity.ts'
import { attemptToken, type StateFolder, stateFolder } from './state-folder.ts'

export type Scope = {
  identity: AttemptIdentity
  store: Store
  folder: StateFolder
  view: TaskView
  attempt: AttemptView
}

export async function inScope<T>(
  identity: AttemptIdentity,
  use: (scope: Scope) => Promise<Result<T>>,
): Promise<Result<T>> {
  const folder = stateFolder(identity.stateRoot, identity.stateRoot)
  // Opening it to write would make one.
  if (!existsSync(folder.database)) return refuse(`there are no runs in ${identity.stateRoot} any more`)
  const opened = openSqliteStore(folder.database)
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessDamaged(folder.database, async () => {
    if (!(await isProved(store, identity)))
      return refuse(
        `this token is not that of attempt ${identity.attempt} of ${identity.task} in run ${identity.run}: nothing can be told or asked in its name`,
      )
    const current = await aliveAttempt(store, identity)
    return current.ok ? use({ identity, store, folder, ...current.value }) : current
  })
}

/** Refuses where it is over: asked again by those who wait for an answer. */
export async function aliveAttempt(
  store: Store,
  { run, task, attempt }: AttemptIdentity,
): Promise<Result<Pick<Scope, 'view' | 'attempt'>>> {
  const view = await store.task(run, task)
  const last = view?.history.at(-1)
  if (view && last?.attempt === attempt && view.status === 'running') return ok({ view, attempt: last })
  return refuse(`attempt ${attempt} of ${task} is over: nothing can be told or asked in its name any more`)
}

/** The token follows from the run's seed, which its first event tells. */
async function isProved(store: Store, { run, task, attempt, token }: AttemptIdentity): Promise<boolean> {
  const [first] = await store.events(run, 0, 1)
  if (first?.type !== 'run.started') return false
  const [mine, theirs] = [attemptToken(run, first.seed, task, attempt), token].map((text) => Buffer.from(text))
  return mine !== undefined && theirs?.length === mine.length && timingSafeEqual(mine, theirs)
}
