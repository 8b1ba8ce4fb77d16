// Events of the evals of a search, by the views of their tasks: queued, started, completed, failed, requeued.
import type { Search } from '../../search-definition.ts'
import type { RunSummary, TaskView } from '../../view.ts'
import { judgeOf, tasksOf } from './ids.ts'

type EvalEvent = {
  type: 'queued' | 'started' | 'completed' | 'failed' | 'requeued'
  eval_id: string
  at: number
  /** The step it is about, where it is about one. */
  task?: string
  reason?: string
}

type SearchTasks = { search: Search; tasks: ReadonlyMap<string, TaskView>; run: Pick<RunSummary, 'startedAt'> }

/** Events in order of time. */
export function evalEvents({ search, tasks, run }: SearchTasks): EvalEvent[] {
  const suffix = judgeOf('')
  const evals = [...tasks.keys()].flatMap((id) => (id.endsWith(suffix) ? [id.slice(0, -suffix.length)] : []))
  const all = evals.flatMap((eval_id) => {
    const own = tasksOf(search, eval_id).flatMap((id) => tasks.get(id) ?? [])
    const queued: EvalEvent = { type: 'queued', eval_id, at: own.at(-1)?.queuedAt ?? run.startedAt }
    return [queued, ...eventsOf(eval_id, own)]
  })
  return all.sort((a, b) => a.at - b.at)
}

/** `tasks`: its steps, and its judge as the last. What is told of an eval ends with its end. */
function eventsOf(eval_id: string, tasks: readonly TaskView[]): EvalEvent[] {
  const judge = tasks.at(-1)
  const [first] = tasks.flatMap(({ id, startedAt }) => (startedAt === null ? [] : [{ task: id, at: startedAt }]))
  const ends = tasks.flatMap((task): EvalEvent[] => {
    const { id, status, finishedAt, failure, history } = task
    const failed = history.flatMap((one): EvalEvent[] => {
      if (one.finishedAt === null || !one.failure) return []
      const type = one === history.at(-1) ? 'failed' : 'requeued'
      return [{ type, eval_id, at: one.finishedAt, task: id, reason: one.failure.reason }]
    })
    if (finishedAt === null || failed.some(({ type }) => type === 'failed')) return failed
    if (status === 'cancelled') {
      const reason = failure?.reason ?? 'cancelled'
      return [...failed, { type: 'failed', eval_id, at: finishedAt, task: id, reason }]
    }
    return task === judge && status === 'passed'
      ? [...failed, { type: 'completed', eval_id, at: finishedAt, task: id }]
      : failed
  })
  const over = ends.sort((a, b) => a.at - b.at).findIndex(({ type }) => type === 'failed' || type === 'completed')
  const started: EvalEvent[] = first ? [{ type: 'started', eval_id, ...first }] : []
  return [...started, ...(over < 0 ? ends : ends.slice(0, over + 1))]
}
