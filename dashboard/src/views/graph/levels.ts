import { type Link, topological } from '../../shared.ts'

/** The level of each id, from 0: one more than the highest that it comes after. Edges that close a cycle count for nothing. */
export function levelsOf(ids: readonly string[], edges: readonly Link[]): Map<string, number> {
  const levels = new Map(ids.map((id) => [id, 0]))
  const next = Map.groupBy(edges, ({ from }) => from)
  for (const id of topological(ids, edges))
    for (const { to } of next.get(id) ?? []) levels.set(to, Math.max(levels.get(to) ?? 0, (levels.get(id) ?? 0) + 1))
  return levels
}
