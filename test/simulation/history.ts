// What holds over a restart and over a whole journal: checked against the events alone.
import assert from 'node:assert/strict'
import type { Event } from '../../src/event.ts'
import { apply } from '../../src/scheduler/apply/apply.ts'
import { type Decided, decide } from '../../src/scheduler/decide.ts'
import { emptyState, type RunState } from '../../src/scheduler/state.ts'
import { taskView } from '../../src/scheduler/view.ts'
import type { World } from './world.ts'

/** I13: an attempt has the time that was written down when it started, through any number of restarts. */
export function checkDeadlines({ state, journal, now }: World, decisions: readonly Decided[]): void {
  const deadlines = new Map<string, number>()
  for (const event of journal) if (event.type === 'attempt.started') deadlines.set(event.task, event.deadline)
  for (const decision of decisions)
    if (decision.type === 'attempt.stopping' && decision.reason === 'timeout')
      assert.ok((deadlines.get(decision.task) ?? now) <= now, `I13: ${decision.task} has time left`)
  for (const index of state.running) {
    const { state: task } = state.tasks[index] ?? {}
    const id = state.graph.tasks[index]?.id ?? ''
    if (task?.status === 'running' && !task.stopping)
      assert.ok((deadlines.get(id) ?? 0) > now, `I13: ${id} is past its time and goes on`)
  }
}

/** I11: whoever comes back knows all that was written. */
export function checkRemembered(before: RunState, after: RunState): void {
  assert.deepEqual(remembered(after), remembered(before), 'I11: a restart forgets nothing')
}

/** Whether the time of a waiting task has come is no event: it follows from the clock. */
function remembered(state: RunState): unknown {
  const tasks = state.graph.tasks.map((_, n) => {
    const { retryAt, status, ...rest } = taskView(state, n)
    return { ...rest, status: status === 'ready' ? 'pending' : status }
  })
  return { head: state.head, workers: workersOf(state), stop: state.stop, tasks, units: state.graph.units }
}

/** I14: the same plan, seed and events give the same decisions, each where it was made. */
export function checkSameDispatch({ original, limits, journal }: Pick<World, 'original' | 'limits' | 'journal'>): void {
  let state = emptyState(original, limits)
  for (const event of journal) {
    if (DECIDED.has(event.type)) {
      const decision = decide(state, event.at)
      const { seq, at, ...fact } = event
      assert.deepEqual(decision, fact, `I14: event ${seq}, at ${at}, is decided in another way`)
    }
    state = apply(state, event)
  }
}

const DECIDED = new Set<Event['type']>([
  'attempt.started',
  'attempt.stopping',
  'budget.reached',
  'landing.started',
  'run.finished',
])

function workersOf({ workers }: RunState): unknown {
  return workers.all.map(({ name, count, isThere, slots, taken, running }) => {
    return { name, count, isThere, slots, taken, running }
  })
}

/** What can be seen of a state from outside. */
export function summary(state: RunState): unknown {
  return {
    counts: state.counts,
    head: state.head,
    workers: workersOf(state),
    stop: state.stop,
    tasks: state.graph.tasks.map((_, n) => taskView(state, n)),
    graph: state.graph,
  }
}
