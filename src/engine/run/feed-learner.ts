// How a run stands, for whoever learns from it.
import type { Event } from '../../event.ts'
import type { LearningContext } from '../../learning/teach.ts'
import { secretValues } from '../../process/secrets.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { emptyState, indexOf } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { Store } from '../../store/store.ts'
import type { Plan } from '../../task.ts'
import type { Learner } from '../expertise/learner.ts'
import type { RunContext } from './run-context.ts'

type Known = Pick<RunContext, 'id' | 'settings' | 'state'> & { secrets: readonly string[] }

export function learningContext({ id: run, settings, state, secrets }: Known): LearningContext {
  return {
    run,
    settings,
    secrets,
    task: (id) => taskAt(state.graph, indexOf(state, id)),
    view: (id) => taskView(state, indexOf(state, id)),
  }
}

// What an engine that was killed did not get to learn, event by event: what one was about is known right after it.

type Needed = Pick<RunContext, 'id' | 'settings'> & {
  environment: NodeJS.ProcessEnv
  store: Store
  /** As it was when the run began. */
  plan: Plan
  events: readonly Event[]
}

export async function catchUp(
  learner: Learner,
  { id, settings, environment, store, plan, events }: Needed,
): Promise<void> {
  const [first] = events
  if (!settings.learning.enabled || first?.type !== 'run.started') return
  const upTo = await store.learnedUpTo(id)
  if (!events.some(({ seq, type }) => seq > upTo && TEACHING.has(type))) return
  const secrets = secretValues(environment)
  let state = emptyState(plan, first.limits)
  for (const event of events) {
    state = apply(state, event)
    if (event.seq > upTo) learner.look(event, learningContext({ id, settings, state, secrets }))
  }
  learner.keep(id, events.at(-1)?.seq ?? 0)
}

const TEACHING: ReadonlySet<Event['type']> = new Set(['attempt.finished', 'landing.landed', 'landing.refused'])
