// Cycles of a graph, found without recursion: a chain of 100,000 tasks is a plan like any other.

type Cycles = {
  cycles: number[][]
  more: number
}

const UNSEEN = 0
const OPEN = 1
const DONE = 2

/** Finds one cycle for every edge that leads back into the search path; `edges[n]` are the nodes that n waits for. */
export function findCycles(edges: readonly (readonly number[])[], limit: number): Cycles {
  const state = new Uint8Array(edges.length)
  const depth = new Int32Array(edges.length)
  const next = new Int32Array(edges.length)
  const way: number[] = []
  const found: Cycles = { cycles: [], more: 0 }
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
        if (found.cycles.length < limit) found.cycles.push(fromSmallest(way.slice(depth[target])))
        else found.more++
      }
    }
  }
  return found

  function enter(node: number): void {
    state[node] = OPEN
    depth[node] = way.length
    way.push(node)
  }
}

/** The nodes that never get their turn: in a circle, `lost`, or waiting for one of these. */
export function stuckNodes(edges: readonly (readonly number[])[], lost: readonly boolean[] = []): Set<number> {
  const waiting = edges.map((needs, i) => (lost[i] ? Number.POSITIVE_INFINITY : needs.length))
  const behind = reversed(edges)
  const ready = [...waiting.keys()].filter((node) => waiting[node] === 0)
  for (let position = 0; position < ready.length; position++) {
    for (const node of behind[ready[position] as number] ?? []) {
      waiting[node] = (waiting[node] as number) - 1
      if (waiting[node] === 0) ready.push(node)
    }
  }
  const fine = new Set(ready)
  return new Set([...edges.keys()].filter((node) => !fine.has(node)))
}

/** The nodes that are in a circle, or on a way between two. */
export function nodesInCircles(edges: readonly (readonly number[])[]): Set<number> {
  const behind = stuckNodes(edges)
  if (behind.size === 0) return behind
  const before = stuckNodes(reversed(edges))
  return new Set([...behind].filter((node) => before.has(node)))
}

function reversed(edges: readonly (readonly number[])[]): number[][] {
  const behind: number[][] = edges.map(() => [])
  edges.forEach((needs, node) => {
    for (const need of needs) behind[need]?.push(node)
  })
  return behind
}

function fromSmallest(cycle: number[]): number[] {
  let first = 0
  for (let i = 1; i < cycle.length; i++) if ((cycle[i] as number) < (cycle[first] as number)) first = i
  return [...cycle.slice(first), ...cycle.slice(0, first)]
}
