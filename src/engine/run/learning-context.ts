// How a run stands, for whoever learns from it.
import type { LearningContext } from '../../learning/teach.ts'
import { taskAt } from '../../scheduler/graph.ts'
import { indexOf } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { RunContext } from './context.ts'

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
