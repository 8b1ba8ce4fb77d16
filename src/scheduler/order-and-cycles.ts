// Order and cycles of a graph, without recursion: chains of 100,000 tasks are allowed. `edges[n]` are the nodes
// that n waits for.

type Edges = readonly (readonly number[])[]

const UNSEEN = 0
const OPEN = 1
const DONE = 2

/** Finds one cycle for every edge that leads back into the search path. `more`: cycles above the limit. */
export function findCycles(edges: Edges, limit: number): { cycles: number[][]; more: number } {
  const state = new Uint8Array(edges.length)
  const depth = new Int32Array(edges.length)
  const next = new Int32Array(edges.length)
  const way: number[] = []
  const cycles: number[][] = []
  let more = 0
  for (let root = 0; root < edges.length; root++) {
    if (state[root] !== UNSEEN) continue
    enter(root)
    while (way.length > 0) {
      const node = way[way.length - 1] as number
      const target = edges[node]?.[(next[node] as number)++]
      if (target === undefined) {
        state[node] = DONE
        way.pop()
      } else if (state[target] === UNSEEN) enter(target)
      else if (state[target] === OPEN) {
        if (cycles.length < limit) cycles.push(fromSmallest(way.slice(depth[target])))
        else more++
      }
    }
  }
  return { cycles, more }

  function enter(node: number): void {
    state[node] = OPEN
    depth[node] = way.length
    way.push(node)
  }
}

function fromSmallest(cycle: number[]): number[] {
  let first = 0
  for (let i = 1; i < cycle.length; i++) if ((cycle[i] as number) < (cycle[first] as number)) first = i
  return [...cycle.slice(first), ...cycle.slice(0, first)]
}

/** Sorts nodes so that each comes after those it waits for. Nodes in a cycle, or behind one, are left out. */
export function orderOf(edges: Edges, behind: Edges = reversed(edges)): number[] {
  const waiting = edges.map(({ length }) => length)
  const order = [...edges.keys()].filter((node) => waiting[node] === 0)
  for (const node of order)
    for (const next of behind[node] ?? []) {
      waiting[next] = (waiting[next] as number) - 1
      if (waiting[next] === 0) order.push(next)
    }
  return order
}

/** The nodes in a cycle, or behind one. */
export function stuckNodes(edges: Edges): Set<number> {
  return new Set(edges.keys()).difference(new Set(orderOf(edges)))
}

/** The nodes in a cycle, or on a path between two cycles. */
export function nodesInCircles(edges: Edges): Set<number> {
  const behind = stuckNodes(edges)
  if (behind.size === 0) return behind
  return behind.intersection(stuckNodes(reversed(edges)))
}

/** `result[n]`: the nodes that wait for n. */
export function reversed(edges: Edges): number[][] {
  const behind: number[][] = edges.map(() => [])
  edges.forEach((needs, node) => {
    for (const need of needs) behind[need]?.push(node)
  })
  return behind
}
