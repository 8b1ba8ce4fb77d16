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
  const index = new Map(ids.map((id, number) => [id, number]))
  const words = (ids.length >> 5) + 1
  const reach = ids.map(() => new Uint32Array(words))
  const next = outgoing(edges.filter((edge) => edge.kind === 'needs'))
  for (const id of topological(ids, edges).toReversed()) {
    const mine = reach[index.get(id) ?? -1]
    if (!mine) continue
    for (const edge of next.get(id) ?? []) {
      const target = index.get(edge.to) ?? 0
      const theirs = reach[target]
      mine[target >> 5] = (mine[target >> 5] ?? 0) | (1 << (target & 31))
      theirs?.forEach((bits, word) => {
        mine[word] = (mine[word] ?? 0) | bits
      })
    }
  }
  const reaches = (from: string, to: string) => {
    const target = index.get(to) ?? 0
    return (((reach[index.get(from) ?? 0]?.[target >> 5] ?? 0) >>> (target & 31)) & 1) === 1
  }
  return edges.filter((edge) => {
    if (edge.kind === 'after' && reaches(edge.from, edge.to)) return false
    return !(next.get(edge.from) ?? []).some((step) => step.to !== edge.to && reaches(step.to, edge.to))
  })
}

/** Ids so that every edge goes forward; what hangs on a cycle is left out. */
export function topological(ids: readonly string[], edges: readonly Link[]): string[] {
  const waits = new Map(ids.map((id) => [id, 0]))
  for (const edge of edges) waits.set(edge.to, (waits.get(edge.to) ?? 0) + 1)
  const next = outgoing(edges)
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

function outgoing<E extends Link>(edges: readonly E[]): Map<string, E[]> {
  return Map.groupBy(edges, ({ from }) => from)
}
