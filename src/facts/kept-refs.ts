// Refs in the user's repository for work that is not on the run's branch: one per attempt that left a commit. The engine
// publishes by this rule; reports and commands name the refs by it.
import { isBad } from '../status.ts'
import type { TaskView } from '../view.ts'

/** `failed`: it did not land, although it was meant to. `kept`: it was never meant to land. `node`: of a search, by its name. */
export type KeptWork = { task: string; attempt: number; commit: string; kind: 'failed' | 'kept' | 'node' }

type Attempted = Pick<TaskView, 'id' | 'status' | 'history'>

/** Oldest first. */
export function keptWork({ id: task, status, history }: Attempted): KeptWork[] {
  const isOut = isBad(status)
  return history.flatMap(({ attempt, commit, failure }) => {
    if (commit === null || !(failure || isOut || status === 'passed')) return []
    return [{ task, attempt, commit, kind: failure || isOut ? 'failed' : 'kept' }]
  })
}

export function keptRef(run: string, { task, attempt, kind }: Omit<KeptWork, 'commit'>): string {
  return `refs/espalier/${run}/${kind}/${task}${kind === 'node' ? '' : `/${attempt}`}`
}

/** The work of the last attempt that left some, if the task did not land. */
export function lastKeptWork(task: Attempted): KeptWork | null {
  return task.status === 'landed' ? null : (keptWork(task).at(-1) ?? null)
}
