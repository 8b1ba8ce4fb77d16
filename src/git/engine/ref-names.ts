// Names of all that Espalier keeps in a git repository. Ids are checked again because a ref becomes a path.
import { type KeptWork, keptRef } from '../../facts/kept-refs.ts'
import { ID_PATTERN } from '../../task.ts'

/** The result of a run, in the engine's repository and in the user's. */
export function runBranch(run: string): string {
  return `refs/heads/espalier/${checked(run)}`
}

/** The refs of a run in the user's repository, except its branch: the pin of its base, and work that is not on the branch. */
export function userRefs(run: string): string {
  return `refs/espalier/${checked(run)}/`
}

/** Keeps the base commit from the user's gc, in the user's repository. */
export function basePin(run: string): string {
  return `${userRefs(run)}base`
}

export function runRefs(run: string): string {
  return `refs/espalier/runs/${checked(run)}/`
}

export function attemptRef(run: string, task: string, attempt: number): string {
  if (!Number.isInteger(attempt) || attempt < 1) throw new Error(`not the number of an attempt: ${attempt}`)
  return `${runRefs(run)}${checked(task)}/${attempt}`
}

/** The conflict of an attempt's work with the branch, in the engine's repository. */
export function conflictRef(run: string, task: string, attempt: number): string {
  return attemptRef(run, task, attempt).replace(/[^/]+$/, (number) => `conflict-${number}`)
}

/** Commits that were made inside of submodules, in the engine's repository. No task has such a name. */
export function submoduleRef(run: string, commit = ''): string {
  return `${runRefs(run)}_submodules/${commit}`
}

/** Refs between coordinators and servers on other machines, in the repository that they share. */
export function fleetRefs(run: string): string {
  return `refs/espalier/fleet/${checked(run)}/`
}

export function deliveredRef(run: string, task: string, attempt: number): string {
  return `${fleetRefs(run)}delivered/${attemptRef(run, task, attempt).slice(runRefs(run).length)}`
}

/** A commit that a worker needs and no other ref has: that of a verification. */
export function givenRef(run: string, commit: string): string {
  if (!COMMIT_PATTERN.test(commit)) throw new Error(`not a commit: ${JSON.stringify(commit)}`)
  return `${fleetRefs(run)}given/${commit}`
}

/** A person's resolution of a conflict, in the engine's repository. */
export function resolvedRef(run: string, task: string, attempt: number): string {
  return attemptRef(run, task, attempt).replace(/[^/]+$/, (number) => `resolved-${number}`)
}

/** Work that is not on the run's branch, in the user's repository. */
export function workRef(run: string, { task, attempt, kind }: KeptWork): string {
  if (!Number.isInteger(attempt) || attempt < 1) throw new Error(`not the number of an attempt: ${attempt}`)
  return keptRef(checked(run), { task: checked(task), attempt, kind })
}

export const COMMIT_PATTERN = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

function checked(id: string): string {
  if (!ID_PATTERN.test(id)) throw new Error(`not an id: ${JSON.stringify(id)}`)
  return id
}
