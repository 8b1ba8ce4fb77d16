// Growth of a search's run: asked at every tick of the engine, it adds the evals of nodes that are certain by then, and at the
// end the landing of the best. It follows from the state alone, so an engine that takes over comes to the same.

import type { AddedTasks } from '../../event.ts'
import type { KeptWork } from '../../facts/kept-refs.ts'
import { isRunUsedUp } from '../../scheduler/budgets/accounts.ts'
import { commitOf, type RunState, record } from '../../scheduler/state.ts'
import type { Search } from '../../search-definition.ts'
import { judgeOf, proposerOf, RESULT } from './ids.ts'
import { compareEvals } from './promote.ts'
import { evalTasks, proposeTask, resultTask, soFar } from './tasks.ts'
import { type Eval, knownBy, Tree } from './tree.ts'

/** `dropped`: tasks that are not to be done any more, and why. */
type Growing = { added: AddedTasks | null; dropped: { tasks: string[]; why: string } | null }

export class SearchGrowth {
  readonly tree: Tree
  #isFirst = true

  constructor(search: Search) {
    this.tree = new Tree(search)
  }

  next(state: RunState): Growing {
    // Changes since the last write; all evals once nothing runs, since more may have ended.
    const isAll = this.#isFirst || state.running.size === 0
    const known = knownBy(this.tree.search, (task) => toldOf(state, task))
    const evals = this.tree.advance(known, isAll ? undefined : judgedIn(state))
    this.#isFirst = false
    return isRunUsedUp(state) ? this.#endForMoney(state) : { added: this.#missing(state, evals), dropped: null }
  }

  /** The commits of its nodes. Those of other candidates stay in the engine's repository. */
  keptNodes(state: RunState): KeptWork[] {
    return [...this.tree.nodes.values()].flatMap(({ id, eval: evaluation, depth }): KeptWork[] => {
      const commit = depth > 0 ? commitOf(state, judgeOf(evaluation)) : null
      return commit === null ? [] : [{ task: id, attempt: 1, commit, kind: 'node' }]
    })
  }

  /** Evals of the tree that the run lacks. */
  #missing({ graph }: RunState, evals: readonly Eval[]): AddedTasks | null {
    const { search, depths, isOver } = this.tree
    const isNew = (task: string) => !graph.taskIndex.has(task)
    const proposals = depths
      .flatMap(({ awaited }) => awaited)
      .filter(({ id }) => isNew(proposerOf(id)))
      .map((node) => proposeTask(search, node, soFar(this.tree, node)))
    const tried = evals
      .filter(({ id }) => isNew(judgeOf(id)))
      .sort(compareEvals)
      .map((one) => evalTasks(search, one, this.tree.wayTo(one.parent)))
    return joined([...proposals, ...tried, ...(isOver && isNew(RESULT) ? [this.#result()] : [])])
  }

  /** The branch stays at the root if nothing is better. */
  #result(): AddedTasks {
    const { best, search } = this.tree
    return best && best.depth > 0 ? resultTask(search, this.tree.wayTo(best.id)) : { epics: [], tasks: [] }
  }

  /** Lets running evals finish; then the search ends with the best so far. */
  #endForMoney(state: RunState): Growing {
    const { graph } = state
    const waiting = graph.tasks.flatMap(({ id, search }, index) => {
      const isPaid = search?.role === 'step' || search?.role === 'propose'
      const { status } = record(state, index).state
      return isPaid && (status === 'pending' || status === 'ready') ? [id] : []
    })
    if (waiting.length > 0)
      return { added: null, dropped: { tasks: waiting, why: 'the budget of the search is used up' } }
    const isOpen = this.tree.depths.some(({ open }) => [...open.keys()].some((id) => graph.taskIndex.has(judgeOf(id))))
    return { added: isOpen || graph.taskIndex.has(RESULT) ? null : joined([this.#result()]), dropped: null }
  }
}

function toldOf(state: RunState, task: string) {
  const index = state.graph.taskIndex.get(task)
  if (index === undefined) return null
  const { state: current, history } = record(state, index)
  return { status: current.status, history }
}

/** The evals whose judges have changed with this tick. */
function judgedIn({ changed, graph }: RunState): string[] {
  return [...changed].flatMap((index) => {
    const role = graph.tasks[index]?.search
    return role?.role === 'judge' ? [role.eval] : []
  })
}

function joined(all: readonly AddedTasks[]): AddedTasks | null {
  const tasks = all.flatMap((one) => one.tasks)
  return tasks.length > 0 ? { tasks, epics: all.flatMap((one) => one.epics) } : null
}
