// Which tasks of a run `espalier retry` would try again, for whoever offers it.
import { isBad } from '../status.ts'
import type { RunView, TaskView } from '../view.ts'

/** `since`: what other runs have landed, by task. What needs something that is left to them cannot be tried here either. */
export function retryable({ tasks }: Pick<RunView, 'tasks'>, since: ReadonlyMap<string, string>): TaskView[] {
  const bad = tasks.filter(({ status }) => isBad(status))
  const left = new Set(bad.filter((task) => isDropped(task) || since.has(task.id)).map(({ id }) => id))
  if (left.size === 0) return bad
  const dependents = Map.groupBy(
    bad.flatMap(({ id, needs }) => needs.map((need) => ({ id, need }))),
    ({ need }) => need,
  )
  // A set gives out what is added to it while it is gone through.
  for (const need of left) for (const { id } of dependents.get(need) ?? []) left.add(id)
  return bad.filter(({ id }) => !left.has(id))
}

/** Dropped from the plan, or landed by another run. */
export function isDropped({ status, failure }: TaskView): boolean {
  return status === 'cancelled' && failure?.reason === 'dropped'
}
