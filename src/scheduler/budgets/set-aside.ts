// Ready units that one budget has no room for. Answers one question, "which is the first in the order of dispatch that
// so much money would do for?", in logarithmic time, because there may be a hundred thousand of them.
//
// A treap: a binary search tree in the order of dispatch, kept balanced by a number that each unit draws from its index.
// Each node has the smallest amount below it. A plan may grow while units are in here: nobody else's place changes.
import { dispatchOrder, type Unit } from '../graph.ts'

type Node = { unit: Unit; usd: number; least: number; weight: number; left: Node | null; right: Node | null }

export class UnitsSetAside {
  readonly #units = new Map<number, Unit>()
  #root: Node | null = null

  get size(): number {
    return this.#units.size
  }

  units(): Iterable<Unit> {
    return this.#units.values()
  }

  has(unit: Unit): boolean {
    return this.#units.has(unit.index)
  }

  add(unit: Unit, usd: number): void {
    this.remove(unit)
    this.#units.set(unit.index, unit)
    const [before, after] = split(this.#root, unit)
    const node: Node = { unit, usd, least: usd, weight: weightOf(unit.index), left: null, right: null }
    this.#root = join(join(before, node), after)
  }

  remove(unit: Unit): void {
    if (this.#units.delete(unit.index)) this.#root = without(this.#root, unit)
  }

  first(usd: number): Unit | null {
    let node = this.#root
    if (leastOf(node) > usd) return null
    while (node) {
      if (leastOf(node.left) <= usd) node = node.left
      else if (node.usd <= usd) return node.unit
      else node = node.right
    }
    return null
  }
}

function split(node: Node | null, unit: Unit): [Node | null, Node | null] {
  if (!node) return [null, null]
  if (dispatchOrder(node.unit, unit) < 0) {
    const [before, after] = split(node.right, unit)
    node.right = before
    return [measured(node), after]
  }
  const [before, after] = split(node.left, unit)
  node.left = after
  return [before, measured(node)]
}

function join(before: Node | null, after: Node | null): Node | null {
  if (!before || !after) return before ?? after
  if (before.weight < after.weight) {
    before.right = join(before.right, after)
    return measured(before)
  }
  after.left = join(before, after.left)
  return measured(after)
}

function without(node: Node | null, unit: Unit): Node | null {
  if (!node) return null
  if (node.unit === unit) return join(node.left, node.right)
  if (dispatchOrder(unit, node.unit) < 0) node.left = without(node.left, unit)
  else node.right = without(node.right, unit)
  return measured(node)
}

function measured(node: Node): Node {
  node.least = Math.min(node.usd, leastOf(node.left), leastOf(node.right))
  return node
}

function leastOf(node: Node | null): number {
  return node ? node.least : Number.POSITIVE_INFINITY
}

/** All bits of an index mixed: as good as drawn by chance, and the same in every replay. */
function weightOf(index: number): number {
  let hash = Math.imul(index + 1, 0x9e3779b1) >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0
  return (hash ^ (hash >>> 16)) >>> 0
}
