// Large plans are folded: the tasks of an epic, or of one step of the plan, are one node until somebody opens it.
import { type Edge, edgesOf, reduceEdges } from '../../shared.ts'
import type { Layout } from './layout.ts'
import { levelsOf } from './levels.ts'

export const FOLDS = ['none', 'epic', 'depth'] as const
export type Fold = (typeof FOLDS)[number]

export type ShapeTask = { id: string; title: string; epic: string | null; needs: string[]; after: string[] }

export type Folded = {
  /** What is drawn: tasks, and groups by their name. */
  ids: readonly string[]
  edges: readonly Edge[]
  groups: ReadonlyMap<string, { title: string; tasks: readonly string[] }>
  /** Of each folded task: its group. */
  groupOf: ReadonlyMap<string, string>
  neighbour(from: string | null, direction: 'before' | 'behind' | 'up' | 'down', layout: Layout | null): string | null
}

/** So many are still readable. */
const READABLE = 150

export function defaultFold(tasks: readonly ShapeTask[]): Fold {
  if (tasks.length <= READABLE) return 'none'
  return new Set(tasks.map(({ epic }) => epic)).size > 2 ? 'epic' : 'depth'
}

export function foldGraph(tasks: readonly ShapeTask[], fold: Fold, opened: ReadonlySet<string>): Folded {
  const all = edgesOf(tasks)
  const names = groupNames(tasks, all, fold)
  const groups = new Map<string, { title: string; tasks: string[] }>()
  const groupOf = new Map<string, string>()
  const ids: string[] = []
  for (const { id } of tasks) {
    const group = names.get(id)
    if (group === undefined || opened.has(group.name)) {
      ids.push(id)
      continue
    }
    groupOf.set(id, group.name)
    const known = groups.get(group.name)
    if (known) known.tasks.push(id)
    else {
      groups.set(group.name, { title: group.title, tasks: [id] })
      ids.push(group.name)
    }
  }
  const drawn = new Map<string, Edge>()
  for (const { from, to, kind } of all) {
    const edge = { from: groupOf.get(from) ?? from, to: groupOf.get(to) ?? to, kind }
    const key = `${edge.from}>${edge.to}`
    if (edge.from !== edge.to && drawn.get(key)?.kind !== 'needs') drawn.set(key, edge)
  }
  const edges = reduceEdges(ids, [...drawn.values()])
  return { ids, edges, groups, groupOf, neighbour: (from, way, layout) => neighbour(edges, ids, from, way, layout) }
}

function groupNames(tasks: readonly ShapeTask[], edges: readonly Edge[], fold: Fold) {
  const names = new Map<string, { name: string; title: string }>()
  if (fold === 'epic')
    for (const { id, epic } of tasks) if (epic !== null) names.set(id, { name: `epic/${epic}`, title: epic })
  if (fold === 'depth') {
    const levels = levelsOf(
      tasks.map(({ id }) => id),
      edges,
    )
    for (const { id } of tasks) {
      const step = (levels.get(id) ?? 0) + 1
      names.set(id, { name: `step/${step}`, title: `Step ${step}` })
    }
  }
  return names
}

function neighbour(
  edges: readonly Edge[],
  ids: readonly string[],
  from: string | null,
  way: 'before' | 'behind' | 'up' | 'down',
  layout: Layout | null,
): string | null {
  if (from === null || !ids.includes(from)) return ids[0] ?? null
  if (way === 'before') return edges.find(({ to }) => to === from)?.from ?? null
  if (way === 'behind') return edges.find((edge) => edge.from === from)?.to ?? null
  const places = new Map(layout?.nodes.map(({ id, position }) => [id, position]))
  const here = places.get(from)
  if (!here) return null
  const column = ids
    .flatMap((id) => {
      const place = places.get(id)
      return place && Math.abs(place.x - here.x) < SAME_COLUMN ? [{ id, y: place.y }] : []
    })
    .sort((a, b) => a.y - b.y)
  const at = column.findIndex(({ id }) => id === from)
  return column[at + (way === 'down' ? 1 : -1)]?.id ?? null
}

const SAME_COLUMN = 120
