// Ready units that one budget has no room for. Answers one question: "which is the first in the order of dispatch that
// this amount would pay for?". There may be a hundred thousand units, but few different estimates: one queue for each.
import { Heap } from '../dispatch/heap.ts'
import { dispatchOrder, type Unit } from '../graph.ts'

export class UnitsSetAside {
  /** The estimate of each unit, in US dollars. */
  readonly #usd = new Map<Unit, number>()
  /** Units by estimate. A removed unit is dropped when it comes up. */
  readonly #queues = new Map<number, Heap<Unit>>()

  get size(): number {
    return this.#usd.size
  }

  units(): Iterable<Unit> {
    return this.#usd.keys()
  }

  add(unit: Unit, usd: number): void {
    this.#usd.set(unit, usd)
    const queue = this.#queues.get(usd) ?? new Heap(dispatchOrder)
    this.#queues.set(usd, queue)
    queue.push(unit)
  }

  remove(unit: Unit): void {
    this.#usd.delete(unit)
  }

  first(usd: number): Unit | null {
    let first: Unit | null = null
    for (const [needed, queue] of this.#queues) {
      if (needed > usd) continue
      while (queue.size > 0 && this.#usd.get(queue.peek() as Unit) !== needed) queue.pop()
      const unit = queue.peek()
      if (!unit) this.#queues.delete(needed)
      else if (!first || dispatchOrder(unit, first) < 0) first = unit
    }
    return first
  }
}
