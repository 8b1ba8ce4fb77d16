// Follows a run by its journal, for readers outside of the engine: reports which tasks each event settles, and which it
// reopens.
import type { Event } from '../event.ts'
import type { Plan, Task } from '../task.ts'
import type { TaskView } from '../view.ts'
import { apply } from './apply/apply.ts'
import { taskAt } from './graph.ts'
import { emptyState, type RunState } from './state.ts'
import { taskView } from './view.ts'

export class SettledTasks {
  readonly #plan: Plan
  #state: RunState | null = null
  readonly #settled = new Set<string>()

  /** `plan`: the plan at the start of the run. */
  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Takes all events, from the first on, in the order of the journal. Null before the run has started. */
  take(event: Event): { state: RunState; settled: TaskView[]; reopened: TaskView[] } | null {
    if (event.type === 'run.started') this.#state = emptyState(this.#plan, event.limits)
    if (!this.#state) return null
    const state = apply(this.#state, event)
    this.#state = state
    const changed = [...state.changed].map((index) => taskView(state, index))
    state.changed.clear()
    const settled = changed.filter(({ id, finishedAt }) => finishedAt !== null && !this.#settled.has(id))
    const reopened = changed.filter(({ id, finishedAt }) => finishedAt === null && this.#settled.delete(id))
    for (const { id } of settled) this.#settled.add(id)
    return { state, settled, reopened }
  }

  find(id: string): { task: Task; view: TaskView } | null {
    const state = this.#state
    const index = state?.graph.taskIndex.get(id)
    return state && index !== undefined ? { task: taskAt(state.graph, index), view: taskView(state, index) } : null
  }

  has(id: string): boolean {
    return this.#settled.has(id)
  }
}
