// Tasks in an order in which each comes behind what it needs.

/** What needs something comes behind it; otherwise as they come. Null where some of them need each other. */
export function inOrder<T>(tasks: readonly T[], needs: (task: T) => readonly T[]): T[] | null {
  const waiting = new Map(tasks.map((task) => [task, new Set(needs(task)).size]))
  const dependents = new Map<T, T[]>(tasks.map((task) => [task, []]))
  for (const task of tasks) for (const needed of new Set(needs(task))) dependents.get(needed)?.push(task)
  const index = new Map(tasks.map((task, i) => [task, i]))
  let ready = tasks.filter((task) => waiting.get(task) === 0)
  const order: T[] = []
  // Round by round: all that can come now, in the order of the files.
  while (ready.length > 0) {
    const next: T[] = []
    for (const task of ready) {
      order.push(task)
      for (const dependent of dependents.get(task) ?? []) {
        const left = (waiting.get(dependent) ?? 0) - 1
        waiting.set(dependent, left)
        if (left === 0) next.push(dependent)
      }
    }
    ready = next.sort((a, b) => (index.get(a) ?? 0) - (index.get(b) ?? 0))
  }
  return order.length === tasks.length ? order : null
}
