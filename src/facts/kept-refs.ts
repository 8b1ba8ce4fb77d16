// Where the work of a task is that is not on the run's branch: refs in the user's repository, one per attempt that
// left a commit. engine/run/publisher.ts makes them by the same rule, under the names of git/engine/refs.ts.
import type { TaskView } from '../status.ts'
import { ID_PATTERN } from '../task.ts'

export type KeptRef = { attempt: number; kind: 'failed' | 'kept'; ref: string }

/** Oldest first; empty where everything landed or nothing was left. */
export function keptRefs(run: string, { id, status, history }: TaskView): KeptRef[] {
  if (!ID_PATTERN.test(run) || !ID_PATTERN.test(id)) return []
  const isOut = status === 'failed' || status === 'blocked' || status === 'cancelled'
  return history.flatMap(({ attempt, commit, failure }) => {
    if (commit === null || !(failure || isOut || status === 'passed')) return []
    const kind = failure || isOut ? 'failed' : 'kept'
    return [{ attempt, kind, ref: `refs/espalier/${run}/${kind}/${id}/${attempt}` }]
  })
}

/** The work a person looks at first: of the last attempt that left some, where the task did not land. */
export function lastKeptRef(run: string, task: TaskView): KeptRef | null {
  return task.status === 'landed' ? null : (keptRefs(run, task).at(-1) ?? null)
}
