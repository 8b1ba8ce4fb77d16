// What happened to the evals of a search, from its journal: queued, started, completed, failed, requeued.
import type { Event } from '../../event.ts'
import type { Task } from '../../task.ts'
import { ROOT } from './ids.ts'

const EVAL_EVENTS = ['queued', 'started', 'completed', 'failed', 'requeued'] as const
export type EvalEvent = {
  type: (typeof EVAL_EVENTS)[number]
  eval_id: string
  at: number
  /** The step it is about, where it is about one. */
  task?: string
  reason?: string
}

/** `first`: the tasks that the run began with. */
export function evalEvents(events: readonly Event[], first: readonly Task[]): EvalEvent[] {
  const evals = new Map<string, string>()
  const judges = new Set<string>()
  const know = (tasks: readonly Task[]) => {
    for (const { id, search } of tasks) {
      if (search?.role !== 'step' && search?.role !== 'judge') continue
      evals.set(id, search.eval)
      if (search.role === 'judge') judges.add(id)
    }
  }
  know(first)
  const tries = new Set(events.flatMap((one) => (one.type === 'attempt.started' ? [`${one.task}/${one.attempt}`] : [])))
  const begun = new Set<string>()
  const ended = new Set<string>()
  return events.flatMap((event): EvalEvent[] => {
    const { at } = event
    if (event.type === 'run.started') return [{ type: 'queued', eval_id: ROOT, at }]
    if (event.type === 'tasks.added') {
      know(event.tasks)
      const queued = event.tasks.flatMap(({ id }) => (judges.has(id) ? (evals.get(id) ?? []) : []))
      return queued.map((eval_id) => ({ type: 'queued', eval_id, at }))
    }
    const task = 'task' in event && typeof event.task === 'string' ? event.task : ''
    const eval_id = evals.get(task)
    if (eval_id === undefined || ended.has(eval_id)) return []
    const of = { eval_id, at, task }
    if (event.type === 'attempt.started') {
      if (begun.has(eval_id)) return []
      begun.add(eval_id)
      return [{ type: 'started', ...of }]
    }
    const isOver = event.type === 'attempt.finished' || event.type === 'task.cancelled'
    const failure = event.type === 'attempt.finished' ? event.failure : null
    if (!isOver || (event.type === 'attempt.finished' && !failure && !judges.has(task))) return []
    if (event.type === 'attempt.finished' && failure && tries.has(`${task}/${event.attempt + 1}`))
      return [{ type: 'requeued', ...of, reason: failure.reason }]
    ended.add(eval_id)
    if (event.type === 'attempt.finished' && !failure) return [{ type: 'completed', ...of }]
    return [{ type: 'failed', ...of, reason: failure?.reason ?? 'cancelled' }]
  })
}
