// The folder in which an agent makes a plan. Remains of a killed `plan new` go with the next one, the end of a run, or `clean`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeTree } from '../../files/remove-tree.ts'
import { acquireLock, lockHolder } from '../../process/lock.ts'
import { type StateFolder, stateFolder } from '../../workspace/state-folder.ts'
import { endLeftoversBut, findLeftovers } from './leftover-processes.ts'

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
