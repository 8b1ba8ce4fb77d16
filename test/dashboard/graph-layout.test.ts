import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Layout, layoutGraph } from '../../dashboard/src/views/graph/layered-layout.ts'
import { type Edge, edgesOf, reduceEdges, topological } from '../../src/facts/graph-edges.ts'
import { processorMs } from '../rig/processor-time.ts'

const SPACING = { columnGap: 40, rowGap: 12, margin: 8 }

const graphs = fc
  .integer({ min: 1, max: 40 })
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      pairs: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 90 }),
    }),
  )
  .map(({ size, pairs }) => {
    const ids = Array.from({ length: size }, (_, index) => `t${index}`)
    const edges = pairs
      .filter(([a, b]) => a !== b)
      .map(([a, b]): Edge => ({ from: `t${Math.min(a, b)}`, to: `t${Math.max(a, b)}`, kind: 'needs' }))
    return { ids, edges: [...new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()] }
  })

test('no two nodes overlap and all lie inside the drawing', () => {
  fc.assert(
    fc.property(graphs, ({ ids, edges }) => {
      const layout = layoutGraph(sized(ids), edges, SPACING)
      assert.equal(layout.nodes.length, ids.length)
      for (const a of layout.nodes) {
        assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.width <= layout.width && a.y + a.height <= layout.height + 1e-6)
        for (const b of layout.nodes) if (a.id < b.id) assert.ok(apart(a, b), `${a.id} overlaps ${b.id}`)
      }
    }),
    { numRuns: 150 },
  )
})

test('every edge goes from left to right, from the side of one node to the side of the other', () => {
  fc.assert(
    fc.property(graphs, ({ ids, edges }) => {
      const layout = layoutGraph(sized(ids), edges, SPACING)
      assert.equal(layout.edges.length, edges.length)
      const nodes = new Map(layout.nodes.map((node) => [node.id, node]))
      for (const { from, to, points } of layout.edges) {
        assert.equal(points[0]?.x, nodes.get(from)!.x + nodes.get(from)!.width)
        assert.equal(points.at(-1)?.x, nodes.get(to)!.x)
        for (let at = 1; at < points.length; at++) assert.ok(points[at]!.x >= points[at - 1]!.x)
      }
    }),
    { numRuns: 150 },
  )
})

test('an edge over several levels passes beside the nodes between', () => {
  const ids = ['a', 'b', 'c', 'd']
  const edges = [link('a', 'b'), link('b', 'c'), link('c', 'd'), link('a', 'd')]
  const layout = layoutGraph(sized(ids), edges, SPACING)
  assert.deepEqual(levels(layout), { a: 0, b: 1, c: 2, d: 3 })
  const long = layout.edges.find((edge) => edge.from === 'a' && edge.to === 'd')
  for (const node of layout.nodes.filter((one) => one.id === 'b' || one.id === 'c')) {
    for (const point of long?.points ?? []) {
      const inside =
        point.x >= node.x && point.x <= node.x + node.width && point.y > node.y && point.y < node.y + node.height
      assert.ok(!inside, `the edge runs through ${node.id}`)
    }
  }
})

test('crossings that can be avoided are avoided', () => {
  const layout = layoutGraph(sized(['a', 'b', 'x', 'y']), [link('a', 'y'), link('b', 'x')], SPACING)
  const y = (id: string) => layout.nodes.find((node) => node.id === id)!.y
  assert.equal(y('a') < y('b'), y('y') < y('x'))
})

test('a cycle or an unknown end does not break the drawing', () => {
  const layout = layoutGraph(sized(['a', 'b', 'c']), [link('a', 'b'), link('b', 'a'), link('c', 'nobody')], SPACING)
  assert.equal(layout.nodes.length, 3)
  assert.deepEqual(layoutGraph([], [], SPACING), { width: 0, height: 0, nodes: [], edges: [] })
})

test('400 tasks are laid out in well under a second', () => {
  const ids = Array.from({ length: 400 }, (_, index) => `t${index}`)
  const edges = ids
    .slice(20)
    .flatMap((to, index) => [link(`t${index}`, to), link(`t${(index * 7) % (index + 20)}`, to)])
  const before = processorMs()
  layoutGraph(sized(ids), edges, SPACING)
  assert.ok(processorMs() - before < 5_000)
})

test('the reduction removes only what a longer way of needs implies', () => {
  fc.assert(
    fc.property(graphs, ({ ids, edges }) => {
      const reduced = reduceEdges(ids, edges)
      assert.deepEqual(reachable(ids, reduced), reachable(ids, edges))
      for (const edge of reduced) {
        const others = reduced.filter((other) => other !== edge)
        assert.ok(!reachable(ids, others).has(`${edge.from} ${edge.to}`), 'an implied edge was kept')
      }
    }),
    { numRuns: 40 },
  )
})

test('a need is not removed because of an order that only comes after', () => {
  const tasks = [
    { id: 'a', needs: [] },
    { id: 'b', needs: [], after: ['a'] },
    { id: 'c', needs: ['a', 'b'] },
  ]
  const ids = ['a', 'b', 'c']
  const reduced = reduceEdges(ids, edgesOf(tasks)).map((edge) => `${edge.from}>${edge.to}`)
  assert.ok(reduced.includes('a>c'))
  assert.deepEqual(topological(ids, edgesOf(tasks)), ['a', 'b', 'c'])
})

type Box = { x: number; y: number; width: number; height: number }

function apart(a: Box, b: Box): boolean {
  const slack = 1e-6
  const beside = a.x + a.width <= b.x + slack || b.x + b.width <= a.x + slack
  return beside || a.y + a.height <= b.y + slack || b.y + b.height <= a.y + slack
}

function sized(ids: string[]) {
  return ids.map((id, index) => ({ id, width: 100 + (index % 3) * 20, height: 30 + (index % 4) * 6 }))
}

function link(from: string, to: string): Edge {
  return { from, to, kind: 'needs' }
}

function levels(layout: Layout): Record<string, number> {
  return Object.fromEntries(layout.nodes.map((node) => [node.id, node.level]))
}

function reachable(ids: string[], edges: Edge[]): Set<string> {
  const found = new Set<string>()
  for (const start of ids) {
    const seen = new Set([start])
    for (const id of seen) for (const edge of edges) if (edge.from === id) seen.add(edge.to)
    for (const end of seen) if (end !== start) found.add(`${start} ${end}`)
  }
  return found
}
