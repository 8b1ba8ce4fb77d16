// Ready units that one budget has no room for. Answers one question, "which is the first in the order of dispatch that
// so much money would do for?", in logarithmic time, because there may be a hundred thousand of them.
//
// A binary tree over the ranks: each node has the smallest amount of the leaves below it. Only nodes with a unit below
// them exist, so an epic that holds two units back costs next to nothing.
import type { Unit } from '../graph.ts'

export class UnitsSetAside {
  readonly #units = new Map<number, Unit>()
  /** By node: 1 is the root, the children of n are 2n and 2n + 1, and the leaf of a rank is `#leaves` + rank. */
  readonly #least = new Map<number, number>()
  readonly #leaves: number

  /** `ranks`: how many there can be. */
  constructor(ranks: number) {
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(2, ranks)))
  }

  get size(): number {
    return this.#units.size
  }

  units(): Iterable<Unit> {
    return this.#units.values()
  }

  add(unit: Unit, usd: number): void {
    this.#units.set(unit.rank, unit)
    this.#set(unit.rank, usd)
  }

  remove(unit: Unit): void {
    this.#units.delete(unit.rank)
    this.#set(unit.rank, Number.POSITIVE_INFINITY)
  }

  /** The one with the lowest rank that needs no more than this. */
  first(usd: number): Unit | null {
    if (this.#leastOf(1) > usd) return null
    let node = 1
    while (node < this.#leaves) node = this.#leastOf(2 * node) <= usd ? 2 * node : 2 * node + 1
    return this.#units.get(node - this.#leaves) ?? null
  }

  #set(rank: number, usd: number): void {
    let node = this.#leaves + rank
    let least = usd
    for (;;) {
      if (least === Number.POSITIVE_INFINITY) this.#least.delete(node)
      else this.#least.set(node, least)
      if (node === 1) return
      node >>= 1
      least = Math.min(this.#leastOf(2 * node), this.#leastOf(2 * node + 1))
    }
  }

  #leastOf(node: number): number {
    return this.#least.get(node) ?? Number.POSITIVE_INFINITY
  }
}
