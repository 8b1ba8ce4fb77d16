// Processes of attempts in this state folder that no engine looks after: their engine was killed and not resumed.
import { sep } from 'node:path'
import { acquireLock } from '../process/lock.ts'
import { endOrphan, findOrphans, type Orphan } from '../process/orphans.ts'
import type { StateFolder } from './state-folder.ts'

export type Leftover = { run: string; task: string; attempt: string; processes: number; token: string }

export async function findLeftovers(folder: StateFolder): Promise<Leftover[]> {
  return (await findOrphans()).filter((orphan) => isOf(folder, orphan)).map(toLeftover)
}

/** Ends them all. Null: an engine works here, so they are not left over. */
export async function endLeftovers(folder: StateFolder, graceMs: number): Promise<Leftover[] | null> {
  const locked = await acquireLock(folder.lock, 'doctor')
  if (!locked.ok) return null
  await using _lock = locked.lock
  const found = await findLeftovers(folder)
  for (const { token } of found) await endOrphan(token, graceMs)
  return found
}

function isOf(folder: StateFolder, { logDir, supervisors }: Orphan): boolean {
  const inside = (path: string) => path.startsWith(folder.runs + sep)
  return (logDir !== null && inside(logDir)) || supervisors.some(({ dir }) => inside(dir))
}

function toLeftover({ token, run, task, attempt, pids }: Orphan): Leftover {
  return { token, run: run ?? '?', task: task ?? '?', attempt: attempt ?? '?', processes: pids.length }
}
