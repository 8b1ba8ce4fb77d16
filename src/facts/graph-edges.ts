// The dependency graph as edges: which there are, which a drawing can leave out, and the order they give.

export type Link = { from: string; to: string }

/** `needs`: blocks if it fails. `after`: only orders. */
export type Edge = Link & { kind: 'needs' | 'after' }

/** Above this many tasks nothing is drawn that would need the reduction. */
const MAX_REDUCED_TASKS = 1_000

export function edgesOf(tasks: readonly { id: string; needs: string[]; after?: string[] }[]): Edge[] {
  const known = new Set(tasks.map((task) => task.id))
  const edges: Edge[] = []
  for (const { id: to, needs, after = [] } of tasks) {
    const sources = new Map<string, Edge['kind']>()
    for (const from of after) sources.set(from, 'after')
    for (const from of needs) sources.set(from, 'needs')
    for (const [from, kind] of sources) if (known.has(from) && from !== to) edges.push({ from, to, kind })
  }
  return edges
}

/** Without the edges that a longer way of needs already implies. */
export function reduceEdges(ids: readonly string[], edges: readonly Edge[]): Edge[] {
  if (ids.length > MAX_REDUCED_TASKS) return [...edges]
  const needs = Map.groupBy(
    edges.filter(({ kind }) => kind === 'needs'),
    ({ from }) => from,
  )
  const bits = new Map(ids.map((id, index) => [id, 1n << BigInt(index)]))
  const bitOf = (id: string) => bits.get(id) ?? 0n
  const reached = new Map<string, bigint>()
  const reachedFrom = (id: string) => reached.get(id) ?? 0n
  for (const id of topological(ids, edges).toReversed())
    reached.set(
      id,
      (needs.get(id) ?? []).reduce((all, { to }) => all | bitOf(to) | reachedFrom(to), 0n),
    )
  const reaches = (from: string, to: string) => (reachedFrom(from) & bitOf(to)) !== 0n
  return edges.filter((edge) => {
    if (edge.kind === 'after' && reaches(edge.from, edge.to)) return false
    return !(needs.get(edge.from) ?? []).some((step) => step.to !== edge.to && reaches(step.to, edge.to))
  })
}

/** Ids so that every edge goes forward; what hangs on a cycle is left out. */
export function topological(ids: readonly string[], edges: readonly Link[]): string[] {
  const waits = new Map(ids.map((id) => [id, 0]))
  for (const edge of edges) waits.set(edge.to, (waits.get(edge.to) ?? 0) + 1)
  const next = Map.groupBy(edges, ({ from }) => from)
  const order = ids.filter((id) => waits.get(id) === 0)
  // A list gives out what is added to it while it is gone through.
  for (const id of order)
    for (const { to } of next.get(id) ?? []) {
      const left = (waits.get(to) ?? 0) - 1
      waits.set(to, left)
      if (left === 0) order.push(to)
    }
  return order
}
