// Finds processes of attempts on this machine that have no engine: it was killed and not resumed, or they hid from it. Removes
// the folder that a killed `plan new` left: at the next `plan new`, at the end of a run, or by `clean`.
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, sep } from 'node:path'
import { namesIn } from '../../files/if-there.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { endStuckRunners } from '../../git/run/runner-client.ts'
import { acquireLock, lockHolder } from '../../process/lock.ts'
import { type AttemptNames, endOrphan, findOrphans, type Orphan } from '../../process/tree/orphans.ts'
import { type ProcessRow, readProcessTable } from '../../process/tree/process-table.ts'
import type { Store } from '../../store/store.ts'
import { attemptFolder, attemptsIn, type StateFolder, stateFolder } from '../../workspace/state-folder.ts'

export type Leftover = { run: string; task: string; attempt: string; processes: number }

/** `survivors`: processes that could not be ended: another user's, or stuck in the kernel. Normally empty. */
type EndedLeftover = Leftover & { survivors: number[] }

export function findLeftovers(folder: StateFolder): Leftover[] {
  return orphansIn(folder).map(toLeftover)
}

/** Ends all leftovers. Null: an engine works here, so there are none. */
export async function endLeftovers(folder: StateFolder, graceMs: number): Promise<EndedLeftover[] | null> {
  const locked = await acquireLock(folder.lock, 'doctor')
  if (!locked.ok) return null
  await using _lock = locked.lock
  return endLeftoversBut(folder, graceMs, new Set())
}

/** Ends all but those of the attempts with these tokens, and git runners of engines that are gone. The caller has the lock. */
export async function endLeftoversBut(
  folder: StateFolder,
  graceMs: number,
  goOn: ReadonlySet<string>,
): Promise<EndedLeftover[]> {
  const rows = readProcessTable()
  endStuckRunners(rows)
  const over = orphansIn(folder, rows).filter(({ token }) => !goOn.has(token))
  return Promise.all(
    over.map(async (orphan) => {
      const { ended, survivors } = await endOrphan(orphan, graceMs)
      const leftover = toLeftover(orphan)
      return { ...leftover, processes: Math.max(ended, leftover.processes), survivors }
    }),
  )
}

/**
 * Ends agents here after a takeover by a coordinator on another machine: that cannot adopt them and has begun anew, so they
 * would only cost money.
 */
export async function endAgentsAfterTakeover(
  store: Pick<Store, 'leader'>,
  folder: StateFolder,
  graceMs: number,
): Promise<void> {
  const leader = await store.leader().catch(() => null)
  const isHere = leader === null || (leader.host === hostname() && leader.place === folder.root)
  if (!isHere) await endLeftoversBut(folder, graceMs, new Set())
}

function orphansIn(folder: StateFolder, rows?: ProcessRow[]): Orphan[] {
  const inside = (path: string) => path.startsWith(folder.runs + sep)
  const orphans = findOrphans(() => recordedAttempts(folder), rows)
  return orphans.filter(
    ({ logDir, supervisors }) => (logDir !== null && inside(logDir)) || supervisors.some(({ dir }) => inside(dir)),
  )
}

/** Every attempt that ever started a process here: read only if needed, there are many. */
function* recordedAttempts(folder: StateFolder): Generator<AttemptNames, void, void> {
  for (const { run, task, attempt } of attemptsIn(folder)) {
    const { root, files } = attemptFolder(folder, run, task, Number(attempt))
    const token = recordedToken(root)
    if (token) yield { token, run, task, attempt, logDir: files }
  }
}

/** Token of the first command in an attempt's folder; null: nothing was started there, or the folder is gone. */
export function recordedToken(root: string): string | null {
  for (const name of namesIn(root)) {
    try {
      const { token } = JSON.parse(readFileSync(join(root, name, 'supervisor'), 'utf8')) as { token?: unknown }
      if (typeof token === 'string') return token
    } catch {
      // not a command's folder, or nothing was started in it
    }
  }
  return null
}

/** The supervisor's folder has the names that the environment of a process lacks. */
function toLeftover({ run, task, attempt, pids, supervisors }: Orphan): Leftover {
  const [inRun, inTask, inAttempt] = supervisors[0]?.dir.split(sep).slice(-4) ?? []
  return {
    run: run ?? inRun ?? '?',
    task: task ?? inTask ?? '?',
    attempt: attempt ?? inAttempt ?? '?',
    processes: pids.length || supervisors.length,
  }
}

export type PlanningPlace = ReturnType<typeof planningPlace>

export function planningPlace({ planning }: StateFolder) {
  const root = join(planning, 'work')
  return {
    lock: join(planning, 'lock'),
    root,
    repository: join(root, 'repository'),
    state: join(root, 'state'),
    spec: join(root, 'check.json'),
    answer: join(root, 'answer.yaml'),
  }
}

/** Also ends processes there. The caller has the lock. */
export async function clearPlanning(place: PlanningPlace, graceMs: number): Promise<void> {
  await endLeftoversBut(ownFolder(place), graceMs, new Set())
  await removeTree(place.root)
}

export function leftPlanning(folder: StateFolder): { path: string; processes: number } | null {
  const place = planningPlace(folder)
  if (!existsSync(place.root) || lockHolder(place.lock)) return null
  const processes = findLeftovers(ownFolder(place)).reduce((sum, leftover) => sum + leftover.processes, 0)
  return { path: place.root, processes }
}

export async function removeLeftPlanning(folder: StateFolder, graceMs: number): Promise<void> {
  const place = planningPlace(folder)
  const locked = await acquireLock(place.lock, 'clean')
  if (!locked.ok) return
  await using _lock = locked.lock
  await clearPlanning(place, graceMs)
}

function ownFolder({ repository, state }: PlanningPlace): StateFolder {
  return stateFolder(repository, state)
}
