// Tasks that join a run while it works. They are taken in with a tick, after the results and before any decision, and once more
// before the run would finish: it does not end while tasks are added.
import type { AddedTasks, Fact } from '../../event.ts'
import { formatProblem, ok, type Result, refuse } from '../../problem.ts'
import { checkAdded } from '../../scheduler/apply/grow.ts'
import type { RunState } from '../../scheduler/state.ts'
import type { Plan } from '../../task.ts'
import type { SearchGrowth } from '../../workloads/search/run-growth.ts'

type Wish = { added: AddedTasks; answer: (result: Result<void>) => void }

/** `prepare`: adds the estimates of earlier runs, or refuses by the settings. */
type GrowingRun = { id: string; state: RunState; prepare(added: AddedTasks): Result<AddedTasks> }

export class Growth {
  /** Why the next tasks were refused; the run cannot finish or continue. */
  trouble: string | null = null
  plan: Plan
  readonly search: SearchGrowth | null
  readonly #run: GrowingRun
  #waiting: Wish[] = []
  #taken: Wish[] = []
  #isClosed = false

  constructor(run: GrowingRun, plan: Plan, search: SearchGrowth | null) {
    this.#run = run
    this.plan = plan
    this.search = search
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Resolves when they are in the journal, or were refused. */
  add(added: AddedTasks): Promise<Result<void>> {
    if (this.#isClosed) return Promise.resolve(this.#tooLate())
    return new Promise((answer) => this.#waiting.push({ added, answer }))
  }

  /** Apply each before asking for the next. */
  *facts(): Generator<Fact> {
    for (const wish of this.#waiting.splice(0)) {
      const checked = this.#check(wish.added)
      if (!checked.ok) wish.answer(checked)
      else yield this.#take({ ...wish, added: checked.value })
    }
    const { state } = this.#run
    // Asked at every tick: the tasks are in the journal together with the results that they follow from.
    const { added = null, dropped = null } = (state.stop === null && this.search?.next(state)) || {}
    for (const task of dropped?.tasks ?? [])
      yield { type: 'task.cancelled', task, request: null, dropped: dropped?.why }
    if (added === null) return
    const checked = this.#check(added)
    if (checked.ok) yield this.#take({ added: checked.value, answer: () => {} })
    else this.trouble = `its next tasks cannot be added: ${checked.problems.map(formatProblem).join('; ')}`
  }

  written(): void {
    for (const { added, answer } of this.#taken.splice(0)) {
      this.plan = { ...this.plan, epics: [...this.plan.epics, ...added.epics], tasks: this.#run.state.graph.tasks }
      answer(ok(undefined))
    }
  }

  close(): void {
    this.#isClosed = true
    for (const { answer } of [...this.#taken.splice(0), ...this.#waiting.splice(0)]) answer(this.#tooLate())
  }

  #check(added: AddedTasks): Result<AddedTasks> {
    const problems = checkAdded(this.#run.state, added)
    return problems.length > 0 ? refuse(...problems) : this.#run.prepare(added)
  }

  #take(wish: Wish): Fact {
    this.#taken.push(wish)
    return { type: 'tasks.added', ...wish.added }
  }

  #tooLate<T>(): Result<T> {
    return refuse(`run ${this.#run.id} is over, or its engine has let go of it: nothing can be added`)
  }
}
