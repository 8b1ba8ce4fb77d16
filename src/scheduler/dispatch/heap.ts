// Hand-written, so that the pure core needs no dependency.

/** A binary heap: the first item by `compare` is on top. An item's order must not change while it is in the heap. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #compare: (a: T, b: T) => number

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let position = items.length
    items.push(item)
    while (position > 0) {
      const parent = (position - 1) >> 1
      if (this.#compare(items[parent] as T, item) <= 0) break
      items[position] = items[parent] as T
      position = parent
    }
    items[position] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length === 0 || last === undefined) return first
    let position = 0
    for (;;) {
      let child = 2 * position + 1
      if (child >= items.length) break
      if (child + 1 < items.length && this.#compare(items[child + 1] as T, items[child] as T) < 0) child++
      if (this.#compare(items[child] as T, last) >= 0) break
      items[position] = items[child] as T
      position = child
    }
    items[position] = last
    return first
  }
}
