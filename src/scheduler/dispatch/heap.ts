/** A binary heap: the item with the smallest key comes first. Keys must not change while an item is in it. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #key: (item: T) => number

  constructor(key: (item: T) => number) {
    this.#key = key
  }

  get size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    const key = this.#key(item)
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#key(items[parent] as T) <= key) break
      items[at] = items[parent] as T
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (items.length === 0 || last === undefined) return first
    const key = this.#key(last)
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && this.#key(items[child + 1] as T) < this.#key(items[child] as T)) child++
      if (this.#key(items[child] as T) >= key) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = last
    return first
  }
}
