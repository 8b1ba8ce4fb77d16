// What an agent has done so far, counted while it works: an agent that goes round in circles is seen by this.

export class Activity {
  turns = 0
  toolCalls = 0
  /** How often in a row it has made the call it made last, word for word. */
  repeats = 0
  #last: string | null = null
  #isAsked = true

  turn(): void {
    this.turns++
  }

  /** Its model has been told what its tools found: what comes next is a new answer. */
  asked(): void {
    this.#isAsked = true
  }

  /** A piece of an answer: the first one begins a turn. */
  answers(): void {
    if (this.#isAsked) this.turns++
    this.#isAsked = false
  }

  /** `words`: all there is to the call. Null: the agent does not tell all of it, so it counts as no repetition. */
  call(words: string | null): void {
    this.toolCalls++
    this.repeats = words !== null && words === this.#last ? this.repeats + 1 : 1
    this.#last = words
  }
}
