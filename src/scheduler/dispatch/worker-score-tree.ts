// The best of many machines in logarithmic time: a tree of minima over their scores. Of equals, the first.
// came first.

export class PlaceTree {
  /** `#scores[#size + n]` is the score of number n; each node above has the smaller score of its two children. */
  #size = 1
  #scores = [NO_ROOM, NO_ROOM]

  set(index: number, score: number): void {
    while (index >= this.#size) this.#double()
    let position = this.#size + index
    this.#scores[position] = score
    for (position >>= 1; position >= 1; position >>= 1) {
      const smaller = Math.min(this.#at(2 * position), this.#at(2 * position + 1))
      if (this.#scores[position] === smaller) return
      this.#scores[position] = smaller
    }
  }

  /** Null: no machine has room. */
  best(): number | null {
    const least = this.#at(1)
    if (least === NO_ROOM) return null
    let position = 1
    while (position < this.#size) position = this.#at(2 * position) === least ? 2 * position : 2 * position + 1
    return position - this.#size
  }

  #at(index: number): number {
    return this.#scores[index] ?? NO_ROOM
  }

  #double(): void {
    const scores = this.#scores.slice(this.#size)
    this.#size *= 2
    this.#scores = new Array(2 * this.#size).fill(NO_ROOM)
    for (const [index, score] of scores.entries()) this.set(index, score)
  }
}

export const NO_ROOM = Number.POSITIVE_INFINITY
