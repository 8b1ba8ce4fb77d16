// What an attempt has to know of the search its task belongs to.
import type { SearchOrder } from '../../attempt/attempt-order.ts'
import { commitOf, type RunState } from '../../scheduler/state.ts'
import type { Idea, Search } from '../../search.ts'
import type { Task } from '../../task.ts'

/** The text of an idea is not in the journal with each of its tasks: it is in the plan, once, or in the result of its proposer. */
export function searchOrder(search: Search | undefined, { search: role }: Task, state: RunState): SearchOrder | null {
  if (!search || !role || role.role === 'result') return null
  if (role.role === 'propose') return { ...role, count: search.propose?.count ?? 0 }
  const { objective, gates, score, repeats, protected: guarded } = search
  if (role.role === 'judge') {
    const parent = role.parent === null ? null : commitOf(state, role.parent)
    return { role: 'judge', eval: role.eval, objective, gates, score, repeats, protected: guarded, parent }
  }
  const proposed = search.propose ? state.tasks.flatMap(({ history }) => history.at(-1)?.result?.ideas ?? []) : []
  const idea = [...search.ideas, ...proposed].find(({ path }) => path === role.idea)
  if (!idea) throw new Error(`the search has no idea ${role.idea}`)
  return { role: 'step', eval: role.eval, idea }
}

export function withIdea(prompt: string, { path, text }: Idea): string {
  return `${prompt.trimEnd()}\n\n## The idea (${path})\n\n${text.trim()}\n`
}
