// Counts what an agent does while it works: it shows an agent that goes round in circles.

export class Activity {
  turns = 0
  toolCalls = 0
  /** Length of the row of equal calls that ends with the last one. */
  repeats = 0
  #last: string | null = null
  #isAsked = true

  turn(): void {
    this.turns++
  }

  /** The model has got the results of its tools: the next piece is a new answer. */
  asked(): void {
    this.#isAsked = true
  }

  /** A piece of an answer: the first one begins a turn. */
  answers(): void {
    if (this.#isAsked) this.turns++
    this.#isAsked = false
  }

  /** `words`: the whole call. Null: the agent does not tell all of it, so it counts as no repetition. */
  call(words: string | null): void {
    this.toolCalls++
    this.repeats = words !== null && words === this.#last ? this.repeats + 1 : 1
    this.#last = words
  }
}
