// The last lines of an output that may be of any length.
import { cut } from '../text/cut.ts'

/** Together with the words before them less than LIMITS.messageChars: the end is what says why something failed. */
const TAIL_CHARS = 1_500
const TAIL_LINES = 20

export class Tail {
  readonly #lines: string[] = []
  #chars = 0

  add(line: string): void {
    const kept = cut(line, TAIL_CHARS - 1)
    this.#lines.push(kept)
    this.#chars += kept.length
    while (this.#lines.length > TAIL_LINES || this.#chars > TAIL_CHARS) this.#chars -= this.#lines.shift()?.length ?? 0
  }

  get lines(): readonly string[] {
    return this.#lines
  }
}
