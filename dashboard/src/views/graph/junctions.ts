// What makes a drawing of a graph readable besides its layout: fewer edges where many tasks need the same many, the edges
// along a chain, and an edge as a curve.
import type { Edge } from '../../shared.ts'
import type { LayoutNode, PlacedEdge } from './layered-layout.ts'

export const JUNCTION = { width: 6, height: 6 }

/** No id has a space, so it cannot be a task's. */
export function isJunction(id: string): boolean {
  return id.endsWith(' ')
}

/** Where many tasks need the same many tasks (epics), the edges meet in one point instead of crossing in a web. */
export function withJunctions(
  nodes: readonly LayoutNode[],
  edges: readonly Edge[],
): { nodes: LayoutNode[]; edges: Edge[] } {
  const needs = Map.groupBy(
    edges.filter(({ kind }) => kind === 'needs'),
    ({ to }) => to,
  )
  const sourcesOf = (to: string) => (needs.get(to) ?? []).map(({ from }) => from)
  const groups = Map.groupBy(needs.keys(), (to) => sourcesOf(to).toSorted().join(' '))
  const all = [...nodes]
  const joined = new Set<string>()
  const drawn: Edge[] = []
  for (const members of groups.values()) {
    const sources = sourcesOf(members[0] ?? '')
    if (sources.length * members.length <= sources.length + members.length) continue
    const id = `${members[0]} `
    all.push({ id, ...JUNCTION })
    for (const from of sources) drawn.push({ from, to: id, kind: 'needs' })
    for (const to of members) drawn.push({ from: id, to, kind: 'needs' })
    for (const to of members) joined.add(to)
  }
  for (const edge of edges) if (edge.kind === 'after' || !joined.has(edge.to)) drawn.push(edge)
  return { nodes: all, edges: drawn }
}

/** The edges along the chain, also where they pass a junction, as `from>to`. */
export function hotEdges(chain: readonly string[], edges: readonly Edge[]): Set<string> {
  const next = Map.groupBy(edges, ({ from }) => from)
  const hot = new Set<string>()
  chain.forEach((from, index) => {
    const to = chain[index + 1]
    for (const { to: step } of next.get(from) ?? []) {
      if (step === to) hot.add(`${from}>${to}`)
      if (!isJunction(step) || !next.get(step)?.some((edge) => edge.to === to)) continue
      hot.add(`${from}>${step}`)
      hot.add(`${step}>${to}`)
    }
  })
  return hot
}

/** For the `d` of a path. */
export function curve({ points }: Pick<PlacedEdge, 'points'>): string {
  const [first, ...rest] = points
  if (!first) return ''
  let path = `M${round(first.x)} ${round(first.y)}`
  let last = first
  for (const point of rest) {
    const middle = (last.x + point.x) / 2
    path +=
      Math.abs(last.y - point.y) < 0.5
        ? `L${round(point.x)} ${round(point.y)}`
        : `C${round(middle)} ${round(last.y)} ${round(middle)} ${round(point.y)} ${round(point.x)} ${round(point.y)}`
    last = point
  }
  return path
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}
