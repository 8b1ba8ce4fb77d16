// From a folded graph to places: run in a worker, because 10,000 tasks take a second or more.
import type { Node, Position } from '@xyflow/react'
import type { Edge, Tone } from '../../shared.ts'
import { curve, isJunction, withJunctions } from './junctions.ts'
import { type LayoutNode, layoutGraph } from './layered-layout.ts'

const NODE = { width: 208, height: 48 }
const GROUP = { width: 208, height: 64 }
const SPACING = { columnGap: 46, rowGap: 14, margin: 8 }

export type LayoutRequest = {
  key: number
  ids: readonly string[]
  groups: readonly string[]
  edges: readonly Edge[]
}

type FlowNode = {
  id: string
  type: 'task' | 'group' | 'junction'
  position: { x: number; y: number }
  width: number
  height: number
  /** Where edges end. A node that says so is not drawn to find it out. */
  handles: NonNullable<Node['handles']>
  data: { tone?: Tone }
}
type FlowEdge = {
  id: string
  source: string
  target: string
  type: 'bent'
  data: { path: string; isAfter: boolean }
}

/** As @xyflow/react takes it. `key`: of the request that it answers. */
export type Layout = { key: number; nodes: FlowNode[]; edges: FlowEdge[] }

export function layOut({ key, ids, groups, edges }: LayoutRequest): Layout {
  const grouped = new Set(groups)
  const boxes: LayoutNode[] = ids.map((id) => ({ id, ...(grouped.has(id) ? GROUP : NODE) }))
  const joined = withJunctions(boxes, edges)
  const { nodes, edges: placed } = layoutGraph(joined.nodes, joined.edges, SPACING)
  const after = new Set(joined.edges.filter(({ kind }) => kind === 'after').map(({ from, to }) => `${from}>${to}`))
  return {
    key,
    nodes: nodes.map(({ id, x, y, width, height }) => ({
      id,
      type: isJunction(id) ? 'junction' : grouped.has(id) ? 'group' : 'task',
      position: { x, y },
      width,
      height,
      handles: [
        { type: 'target', position: 'left' as Position, x: 0, y: height / 2, width: 1, height: 1 },
        { type: 'source', position: 'right' as Position, x: width, y: height / 2, width: 1, height: 1 },
      ],
      data: {},
    })),
    edges: placed.map(({ from, to, points }) => {
      const id = `${from}>${to}`
      const data = { path: curve({ points }), isAfter: after.has(id) }
      return { id, source: from, target: to, type: 'bent', data }
    }),
  }
}
