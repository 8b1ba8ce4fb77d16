// What is to be said about claims when a run is looked at: who changed more than they had claimed, and who changed the
// same at the same time.
import type { PathList, RunView, TaskView } from './status.ts'

export type UndeclaredFacts = { task: string } & PathList
export type OverlapFacts = { tasks: [string, string] } & PathList

/** By the last attempt of each task. One that failed because of it says so itself. */
export function undeclaredFacts({ tasks }: Pick<RunView, 'tasks'>): UndeclaredFacts[] {
  return tasks.flatMap(({ id, history }) => {
    const last = history.at(-1)
    if (!last?.undeclared || last.failure?.reason === 'claims-violated') return []
    return [{ task: id, ...last.undeclared }]
  })
}

/** Of all attempts, each pair of tasks once. */
export function overlapFacts({ tasks }: Pick<RunView, 'tasks'>): OverlapFacts[] {
  const pairs = new Map<string, OverlapFacts>()
  for (const { id, history } of tasks)
    for (const { task, paths, count } of history.flatMap(({ overlaps }) => overlaps ?? [])) {
      const key = [id, task].sort().join(' ')
      const known = pairs.get(key)
      if (!known) pairs.set(key, { tasks: [id, task], paths: [...paths], count })
      else if (known.tasks[0] === id) add(known, { paths, count })
    }
  return [...pairs.values()]
}

/** Of a task that runs: the others that have changed the same as it has by now. */
export function overlapsNow({ status, history }: TaskView): UndeclaredFacts[] {
  return status === 'running' ? (history.at(-1)?.overlaps ?? []) : []
}

/** `a, b, c and more (12 paths)` */
export function pathsText({ paths, count }: PathList): string {
  const shown = paths.slice(0, SHOWN_PATHS)
  const rest = paths.length > shown.length ? ' and more' : ''
  return `${shown.join(', ')}${rest}${count > shown.length ? ` (${count} paths)` : ''}`
}

const SHOWN_PATHS = 5

/** The pair met again in a later attempt. */
function add(known: OverlapFacts, more: PathList): void {
  known.paths = [...new Set([...known.paths, ...more.paths])].sort()
  known.count = Math.max(known.count, more.count, known.paths.length)
}
