// Changes of a run that a person should know of: without a claim, none at all, and of files that other programs run.

import type { PathList } from '../event.ts'
import type { Plan } from '../task.ts'
import type { RunView } from '../view.ts'

/** Paths that a task has changed, or claims to change. */
export type TaskPaths = { task: string } & PathList

/** By the last attempt of each task. A task that failed because of it is left out. */
export function undeclaredFacts({ tasks }: Pick<RunView, 'tasks'>): TaskPaths[] {
  return tasks.flatMap(({ id, history }) => {
    const last = history.at(-1)
    if (!last?.undeclared || last.failure?.reason === 'claims-violated') return []
    return [{ task: id, ...last.undeclared }]
  })
}

/** `a, b, c and more (12 paths)` */
export function pathsText({ paths, count }: PathList): string {
  const shown = paths.slice(0, SHOWN_PATHS)
  const rest = paths.length > shown.length ? ' and more' : ''
  return `${shown.join(', ')}${rest}${count > shown.length ? ` (${count} paths)` : ''}`
}

const SHOWN_PATHS = 5

/**
 * Tasks that claim to write something and succeeded without a change. That may be right, or the agent did nothing. Only
 * prompts: a command without changes does what its author wrote.
 */
export function unchangedFacts({ tasks }: Pick<RunView, 'tasks'>, plan: Pick<Plan, 'tasks'> | null): TaskPaths[] {
  const unchanged = new Set(tasks.filter(isUnchanged).map(({ id }) => id))
  const written = plan?.tasks.filter(({ id }) => unchanged.has(id)) ?? []
  return written.flatMap(({ id, work, land, claims: { write } }) =>
    work.kind === 'prompt' && land && write.length > 0 ? [{ task: id, paths: write, count: write.length }] : [],
  )
}

export function isUnchanged({ status, outcome }: Pick<RunView['tasks'][number], 'status' | 'outcome'>): boolean {
  return status === 'passed' && outcome === 'no-change'
}

/** Tasks that changed files that other programs run or obey: hooks, CI files, settings of editors and agents. Failed work is not used. */
export function flaggedFacts({ tasks }: Pick<RunView, 'tasks'>): TaskPaths[] {
  return tasks.flatMap(({ id, history }) => {
    const last = history.at(-1)
    return last?.flagged && !last.failure ? [{ task: id, ...last.flagged }] : []
  })
}
