// Work that will not land, each piece brought to the user's repository once: of a failed attempt, of a task that went
// down with its epic, of one that never should land. Of a search its nodes; other candidates stay in the engine's repository.
import { type KeptWork, keptWork } from '../../facts/kept-refs.ts'
import { commitOf } from '../../scheduler/state.ts'
import { taskView } from '../../scheduler/view.ts'
import type { TaskView } from '../../status.ts'
import { judgeOf } from '../../workloads/search/ids.ts'
import type { RunContext } from './run-context.ts'

export class WorkKeeper {
  readonly #context: RunContext
  readonly #kept = new Set<string>()

  constructor(context: RunContext) {
    this.#context = context
  }

  /** What an engine before this one may not have brought there. Nodes come with what is written next. */
  recover(): void {
    const { state, search } = this.#context
    if (search) return
    state.tasks.forEach((task, index) => {
      if (task.history.length > 0) this.#lookAt(taskView(state, index))
    })
  }

  /** The tasks that have changed with what was written to the journal. */
  follow(tasks: readonly TaskView[]): void {
    if (this.#context.search) this.#lookAtNodes()
    else for (const task of tasks) this.#lookAt(task)
  }

  #lookAt(task: TaskView): void {
    for (const work of keptWork(task)) this.#keep(work)
  }

  #lookAtNodes(): void {
    const { search, state } = this.#context
    for (const { id, eval: evaluation, depth } of search?.tree.nodes.values() ?? []) {
      const commit = depth > 0 ? commitOf(state, judgeOf(evaluation)) : null
      if (commit !== null) this.#keep({ task: id, attempt: 1, commit, kind: 'node' })
    }
  }

  #keep(work: KeptWork): void {
    const name = `${work.task}/${work.attempt}`
    if (this.#kept.has(name)) return
    this.#kept.add(name)
    this.#context.publisher.keep(work)
  }
}
