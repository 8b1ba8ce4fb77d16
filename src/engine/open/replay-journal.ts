// From the journal of a run back to its state, for an engine that goes on with it.
import type { Event, Limits } from '../../event.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { emptyState, type RunState } from '../../scheduler/state.ts'
import type { RunRecord, Store } from '../../store/store.ts'
import type { Plan } from '../../task.ts'

export type Replayed = {
  state: RunState
  stoppedAt: ReadonlyMap<string, number>
}

type Looks = {
  /** When the agent of an attempt ended; null where nobody wrote that down. */
  workEnd(task: string, attempt: number): number | null
  goesOn(task: string, attempt: number): boolean
  now: number
}

/**
 * Only time in which its agent lived counts for a deadline. One that ended in time did its part: its checks, which nobody
 * ran while there was no engine, get the task's time again from now on. So does what was lost with its supervisor, at a
 * power cut for example: it has not run too long.
 */
export function stateFromJournal(
  plan: Plan,
  limits: Limits,
  events: Event[],
  { workEnd, goesOn, now }: Looks,
): Replayed {
  const underWay = new Map<string, Started>()
  const stoppedAt = new Map<string, number>()
  for (const event of events) {
    if (event.type === 'attempt.started') underWay.set(event.task, event)
    if (event.type === 'attempt.stopping') stoppedAt.set(event.task, event.at)
    if (event.type !== 'attempt.finished') continue
    underWay.delete(event.task)
    stoppedAt.delete(event.task)
  }
  // The clock may have been set back since: see engine/run/clock.ts.
  const from = Math.max(now, events.at(-1)?.at ?? 0)
  const prolonged = new Map<Event, Event>()
  for (const event of underWay.values()) {
    const ended = workEnd(event.task, event.attempt)
    const timeoutMs = event.deadline - event.at
    const isInTime = ended === null ? !goesOn(event.task, event.attempt) : ended <= event.deadline
    if (isInTime) prolonged.set(event, { ...event, deadline: from + timeoutMs })
  }
  const replayed = events.map((event) => prolonged.get(event) ?? event)
  return { state: replayed.reduce(apply, emptyState(plan, limits)), stoppedAt }
}

/** What the plan of a run is by now: the newest it was given, and what was added since. */
export function planByJournal(first: Plan, events: readonly Event[]): Plan {
  const position = events.findLastIndex(({ type }) => type === 'run.replanned')
  const newest = events[position]
  const plan = newest?.type === 'run.replanned' ? newest.plan : first
  const added = events.slice(position + 1).filter((event) => event.type === 'tasks.added')
  if (added.length === 0) return plan
  const [tasks, epics] = [added.flatMap((event) => event.tasks), added.flatMap((event) => event.epics)]
  return { ...plan, tasks: [...plan.tasks, ...tasks], epics: [...plan.epics, ...epics] }
}

/** A run as its journal tells it by now; null where it never got as far as its first event. */
export async function readState(store: Store, id: string): Promise<{ run: RunRecord; state: RunState } | null> {
  const [run, events] = [await store.run(id), await store.events(id)]
  const [first] = events
  if (!run || first?.type !== 'run.started') return null
  return { run, state: events.reduce<RunState>(apply, emptyState(run.plan, first.limits)) }
}

type Started = Extract<Event, { type: 'attempt.started' }>
