// Tasks that must not be at work at the same time, as a plan says it: the later one comes after the earlier one. Which is
// earlier follows from what they need, and else from the order of the files; so nothing can wait in a circle.

export type Separable = {
  /** Not beside any other task. */
  isAlone: boolean
  /** Not beside these. */
  conflicts: readonly Separable[]
}

/** For every task those it comes after: not many more than there are tasks and conflicts. */
export function separated<T extends Separable>(order: readonly T[]): Map<T, T[]> {
  const position = new Map<Separable, number>(order.map((task, i) => [task, i]))
  const after = new Map<T, Set<T>>(order.map((task) => [task, new Set<T>()]))
  let alone: T | null = null
  let since: T[] = []
  for (const task of order) {
    // One that is alone comes after all since the last such one, and everything behind it after it.
    const before: T[] = task.isAlone ? [...since, ...(alone ? [alone] : [])] : alone ? [alone] : []
    for (const other of before) after.get(task)?.add(other)
    if (task.isAlone) {
      alone = task
      since = []
    } else since.push(task)
    for (const other of task.conflicts) {
      const at = position.get(other)
      if (at === undefined) continue
      const [first, second] = at < (position.get(task) ?? 0) ? [order[at], task] : [task, order[at]]
      if (first && second) after.get(second)?.add(first)
    }
  }
  return new Map([...after].map(([task, others]) => [task, [...others]]))
}
