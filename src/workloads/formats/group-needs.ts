// Dependencies between groups. An empty group passes on its own dependencies.
import { orderOf } from '../../scheduler/order-and-cycles.ts'
import type { Path } from '../document/place.ts'
import { memoized } from '../memoized.ts'
import type { PlanDraft } from './plan-draft.ts'

export type GroupNeed<T, P = Path> = { group: T; path: P }

type GroupOrder<T, P = Path> = {
  /** The groups that a group names as dependencies. Called once per group, so that each error is reported once. */
  named(group: T): readonly GroupNeed<T, P>[]
  isOpen(group: T): boolean
  isEmpty(group: T): boolean
}

/** `plan` ends the search: thousands of empty groups would be visited thousands of times. */
export function needsThrough<T, P = Path>(
  plan: Pick<PlanDraft<P>, 'mayAdd'>,
  { named, isOpen, isEmpty }: GroupOrder<T, P>,
): (group: T) => GroupNeed<T, P>[] {
  const needsOf = memoized(named)
  return (group) => {
    const found = new Map<T, P>()
    const passed = new Set<T>()
    const toSee: { group: T; path: P | null }[] = [{ group, path: null }]
    for (let next = toSee.pop(); next; next = toSee.pop()) {
      for (const need of needsOf(next.group)) {
        const path = next.path ?? need.path
        if (isOpen(need.group)) {
          if (!found.has(need.group)) found.set(need.group, path)
        } else if (isEmpty(need.group) && !passed.has(need.group) && plan.mayAdd(1, path)) {
          passed.add(need.group)
          toSee.push({ group: need.group, path })
        }
      }
    }
    return [...found].map(([one, path]) => ({ group: one, path }))
  }
}

/** Sorts tasks so that each comes after those it needs. Null: there is a cycle. */
export function inOrder<T>(tasks: readonly T[], needs: (task: T) => readonly T[]): T[] | null {
  const index = new Map(tasks.map((task, i) => [task, i]))
  const order = orderOf(tasks.map((task) => [...new Set(needs(task))].flatMap((on) => index.get(on) ?? [])))
  return order.length === tasks.length ? order.flatMap((i) => tasks[i] ?? []) : null
}
