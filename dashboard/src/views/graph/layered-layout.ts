// A layered drawing of a graph, as numbers: every edge goes from left to right, no two nodes overlap. By hand: elkjs takes a
// hundred times as long.
//
// 1. A node's level is the longest way to it. 2. An edge over several levels gets a bend in each level between,
// so that it never runs through a node. 3. Each level is ordered by the average place of its neighbours, a few times
// to and fro, and the order with the fewest crossings wins. 4. Within that order every node moves as close as it can
// to the middle of its neighbours.

import type { Link } from '../../shared.ts'
import { levelsOf } from './levels.ts'

export type LayoutNode = { id: string; width: number; height: number }
type PlacedNode = LayoutNode & { level: number; x: number; y: number }
/** From the right side of one node to the left side of the other, through its bends. */
export type PlacedEdge = Link & { points: { x: number; y: number }[] }
export type Layout = { width: number; height: number; nodes: PlacedNode[]; edges: PlacedEdge[] }

type Spacing = { columnGap: number; rowGap: number; margin: number }

/** An edge over more levels than this is drawn straight, so that the bends stay few. */
const MAX_BENT_SPAN = 16
const ORDER_SWEEPS = 12
const PLACE_SWEEPS = 16
const BEND_HEIGHT = 6

/** In one column, in order from top to bottom. */
type Cell = { key: string; node: LayoutNode | null; width: number; height: number; level: number; middle: number }
type Hop = { from: Cell; to: Cell }

export function layoutGraph(nodes: LayoutNode[], edges: Link[], spacing: Spacing): Layout {
  const levels = levelsOf(
    nodes.map(({ id }) => id),
    edges,
  )
  const cells = new Map(nodes.map((node) => [node.id, cellOf(node, levels.get(node.id) ?? 0)]))
  const columns: Cell[][] = []
  for (const cell of cells.values()) columnAt(columns, cell.level).push(cell)
  const hops: Hop[] = []
  const ways = edges.flatMap((edge) => {
    const way = wayOf(edge, cells, columns)
    for (let hop = 1; hop < way.length; hop++) hops.push({ from: way[hop - 1]!, to: way[hop]! })
    return way.length === 0 ? [] : [{ edge, way }]
  })
  const neighbours = neighboursOf(hops)
  order(columns, neighbours)
  place(columns, neighbours, spacing)
  return measure(columns, ways, spacing)
}

function cellOf(node: LayoutNode, level: number): Cell {
  return { key: node.id, node, width: node.width, height: node.height, level, middle: 0 }
}

function columnAt(columns: Cell[][], level: number): Cell[] {
  while (columns.length <= level) columns.push([])
  return columns[level]!
}

function wayOf(edge: Link, cells: Map<string, Cell>, columns: Cell[][]): Cell[] {
  const from = cells.get(edge.from)
  const to = cells.get(edge.to)
  if (!from || !to || to.level <= from.level) return []
  const way = [from]
  const bent = to.level - from.level <= MAX_BENT_SPAN
  for (let level = from.level + 1; bent && level < to.level; level++) {
    const bend = { key: '', node: null, width: 0, height: BEND_HEIGHT, level, middle: 0 }
    columnAt(columns, level).push(bend)
    way.push(bend)
  }
  way.push(to)
  return way
}

type Neighbours = { before: (cell: Cell) => Cell[]; behind: (cell: Cell) => Cell[] }

function neighboursOf(hops: Hop[]): Neighbours {
  const [before, behind] = [new Map<Cell, Cell[]>(), new Map<Cell, Cell[]>()]
  for (const { from, to } of hops) {
    addTo(before, to, from)
    addTo(behind, from, to)
  }
  return { before: (cell) => before.get(cell) ?? NONE, behind: (cell) => behind.get(cell) ?? NONE }
}

const NONE: Cell[] = []

function addTo(map: Map<Cell, Cell[]>, key: Cell, value: Cell): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function order(columns: Cell[][], { before, behind }: Neighbours): void {
  let best = columns.map((column) => [...column])
  let fewest = crossings(columns, behind)
  for (let sweep = 0; sweep < ORDER_SWEEPS && fewest > 0; sweep++) {
    const forward = sweep % 2 === 0
    const rank = new Map<Cell, number>()
    for (const column of forward ? columns : columns.toReversed()) {
      const weight = new Map(
        column.map((cell, index) => [cell, average((forward ? before : behind)(cell), rank) ?? index]),
      )
      column.sort((a, b) => weight.get(a)! - weight.get(b)!)
      column.forEach((cell, index) => {
        rank.set(cell, index)
      })
    }
    const crossed = crossings(columns, behind)
    if (crossed >= fewest) continue
    fewest = crossed
    best = columns.map((column) => [...column])
  }
  best.forEach((column, level) => {
    columns[level] = column
  })
}

function average(cells: Cell[], rank: Map<Cell, number>): number | null {
  const ranks = cells.map((cell) => rank.get(cell)).filter((value) => value !== undefined)
  return ranks.length === 0 ? null : ranks.reduce((total, value) => total + value, 0) / ranks.length
}

/** Pairs of hops between each level and the next that cross each other, counted with a tree of sums (Fenwick). */
function crossings(columns: Cell[][], behind: Neighbours['behind']): number {
  let total = 0
  columns.forEach((column, level) => {
    const next = columns[level + 1]
    if (!next) return
    const rank = new Map(next.map((cell, index) => [cell, index]))
    const counts = new Int32Array(next.length + 1)
    let above = 0
    for (const cell of column) {
      const ends = behind(cell).flatMap((target) => rank.get(target) ?? [])
      for (const end of ends) {
        let notBelow = 0
        for (let position = end + 1; position > 0; position -= position & -position) notBelow += counts[position] ?? 0
        total += above - notBelow
      }
      for (const end of ends) {
        for (let spot = end + 1; spot < counts.length; spot += spot & -spot) counts[spot] = (counts[spot] ?? 0) + 1
        above++
      }
    }
  })
  return total
}

function place(columns: Cell[][], { before, behind }: Neighbours, spacing: Spacing): void {
  for (const column of columns) settle(column, () => 0, spacing.rowGap)
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep++) {
    const forward = sweep % 2 === 0
    const wish = (cell: Cell) => {
      // The last sweeps look both ways, so that neither side ends up crooked.
      const both = sweep >= PLACE_SWEEPS - 4
      const near = both ? [...before(cell), ...behind(cell)] : (forward ? before : behind)(cell)
      return near.length === 0 ? cell.middle : near.reduce((total, other) => total + other.middle, 0) / near.length
    }
    for (const column of forward ? columns : columns.toReversed()) settle(column, wish, spacing.rowGap)
  }
}

/** Keeps the order and the gaps and comes as close to the wishes as possible (isotonic regression: pool adjacent violators). */
function settle(column: Cell[], wish: (cell: Cell) => number, gap: number): void {
  const offsets: number[] = []
  let offset = 0
  column.forEach((cell, index) => {
    const above = column[index - 1]
    if (above) offset += (above.height + cell.height) / 2 + (above.node && cell.node ? gap : gap / 2)
    offsets.push(offset)
  })
  const blocks: { total: number; count: number }[] = []
  column.forEach((cell, index) => {
    let block = { total: wish(cell) - offsets[index]!, count: 1 }
    for (let last = blocks.at(-1); last && last.total / last.count >= block.total / block.count; last = blocks.at(-1)) {
      block = { total: block.total + last.total, count: block.count + last.count }
      blocks.pop()
    }
    blocks.push(block)
  })
  let index = 0
  for (const { total, count } of blocks) {
    for (let member = 0; member < count; member++, index++) column[index]!.middle = total / count + offsets[index]!
  }
}

function measure(columns: Cell[][], ways: { edge: Link; way: Cell[] }[], spacing: Spacing): Layout {
  const lefts: number[] = []
  const widths = columns.map((column) => column.reduce((most, cell) => Math.max(most, cell.width), 0))
  let right = spacing.margin
  for (const width of widths) {
    lefts.push(right)
    right += width + spacing.columnGap
  }
  const cells = columns.flat()
  const top = cells.reduce((least, cell) => Math.min(least, cell.middle - cell.height / 2), Number.POSITIVE_INFINITY)
  const bottom = cells.reduce((most, cell) => Math.max(most, cell.middle + cell.height / 2), Number.NEGATIVE_INFINITY)
  const shift = cells.length === 0 ? 0 : spacing.margin - top
  const leftOf = (cell: Cell) => lefts[cell.level]! + (widths[cell.level]! - cell.width) / 2
  return {
    width: cells.length === 0 ? 0 : right - spacing.columnGap + spacing.margin,
    height: cells.length === 0 ? 0 : bottom - top + 2 * spacing.margin,
    nodes: cells.flatMap((cell) =>
      cell.node ? [{ ...cell.node, level: cell.level, x: leftOf(cell), y: cell.middle - cell.height / 2 + shift }] : [],
    ),
    edges: ways.map(({ edge, way }) => ({
      ...edge,
      points: way.flatMap((cell, index) => {
        const y = cell.middle + shift
        const enter = { x: cell.node ? leftOf(cell) : lefts[cell.level]!, y }
        const leave = { x: cell.node ? leftOf(cell) + cell.width : lefts[cell.level]! + widths[cell.level]!, y }
        if (index === 0) return [leave]
        return index === way.length - 1 ? [enter] : [enter, leave]
      }),
    })),
  }
}
