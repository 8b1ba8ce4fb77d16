// From the journal of a run back to its state, for an engine that continues it.
import { join } from 'node:path'
import { type Event, type EventOf, type Limits, startOf } from '../../event.ts'
import { isOutOfSight } from '../../process/supervise/supervise.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { emptyState, type RunState } from '../../scheduler/state.ts'
import { planAfter } from '../../store/read-row.ts'
import type { Store } from '../../store/store.ts'
import type { RunRecord } from '../../store/views.ts'
import type { Plan } from '../../task.ts'
import { shellWord } from '../../text/shell-word.ts'
import { attemptFolder, newestIteration, type StateFolder } from '../../workspace/state-folder.ts'

/**
 * Only time in which its agent lived counts for a deadline. An attempt whose agent ended in time gets the task's time again
 * from now on for its checks, which nobody ran without an engine. So does an attempt whose supervisor was lost, at a power cut
 * for example: it has not run too long. `workEnd`: when the agent of an attempt ended; null: not recorded.
 */
export function stateFromJournal(
  plan: Plan,
  limits: Limits,
  events: Event[],
  looks: {
    workEnd(task: string, attempt: number): number | null
    goesOn(task: string, attempt: number): boolean
    now: number
  },
): RunState {
  const underWay = new Map<string, EventOf<'attempt.started'>>()
  for (const event of events) {
    if (event.type === 'attempt.started') underWay.set(event.task, event)
    if (event.type === 'attempt.finished') underWay.delete(event.task)
  }
  // The clock may have been set back since: see engine/run/clock.ts.
  const from = Math.max(looks.now, events.at(-1)?.at ?? 0)
  const prolonged = new Map<Event, Event>()
  for (const event of underWay.values()) {
    const ended = looks.workEnd(event.task, event.attempt)
    const timeoutMs = event.deadline - event.at
    const isInTime = ended === null ? !looks.goesOn(event.task, event.attempt) : ended <= event.deadline
    if (isInTime) prolonged.set(event, { ...event, deadline: from + timeoutMs })
  }
  const replayed = events.map((event) => prolonged.get(event) ?? event)
  return replayed.reduce<RunState>(apply, emptyState(plan, limits))
}

/** A run by its journal, with its current plan; null: it has no first event yet. */
export async function readState(
  store: Store,
  id: string,
): Promise<{ run: RunRecord; plan: Plan; state: RunState } | null> {
  const [run, events] = [await store.run(id), await store.events(id)]
  const first = startOf(events)
  if (!run || !first) return null
  return {
    run,
    plan: planAfter(run.plan, events),
    state: events.reduce<RunState>(apply, emptyState(run.plan, first.limits)),
  }
}

/**
 * Advice about running attempts that were started in another PID namespace; null: there are none. Whether they still run cannot
 * be known here, and a second agent must not work beside the first (I2).
 */
export function outOfSight(folder: StateFolder, run: string, state: RunState): string | null {
  const hidden = [...state.running].flatMap((index) => {
    const { id: task } = taskAt(state.graph, index)
    const { work } = newestIteration(attemptFolder(folder, run, task, state.tasks[index]?.history.at(-1)?.attempt ?? 1))
    return isOutOfSight(work) ? [{ task, file: join(work, 'supervisor') }] : []
  })
  if (hidden.length === 0) return null
  const tasks = hidden.map(({ task }) => task).join(', ')
  const files = hidden.map(({ file }) => shellWord(file)).join(' ')
  return `${tasks} of run ${run} may still be at work in another PID namespace (a container, or \`unshare\`), which cannot be seen from here: resume it there. If that is gone, \`rm ${files}\` says so, and they start again`
}
