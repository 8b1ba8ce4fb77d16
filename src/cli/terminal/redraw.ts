// A block of lines at the bottom of the terminal that is drawn over and over, while finished lines scroll up above it.
//
// Properties: one write per drawing, so nothing flickers, and none if nothing changed; unchanged lines are not
// written again, and no line is cleared first; the cursor is hidden from the first drawing on and shown again by
// `close`, or when the process exits.
// Tolerated: a terminal that was made narrower may already have wrapped our lines; the rows they take now are counted
// anew with the new width.
import { displayWidth } from '../../text/width.ts'
import { type Output, width } from '../surroundings.ts'

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
// Terminals with "synchronized output" show the drawing in one step; others ignore it.
const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'
const CLEAR_REST_OF_LINE = '\x1b[K'
const CLEAR_BELOW = '\x1b[J'

export class Redraw implements Disposable {
  readonly #output: Output
  readonly #onExit = () => this.close()
  #drawn: string[] = []
  #columns = 0
  #state: 'new' | 'drawing' | 'closed' = 'new'

  constructor(output: Output) {
    this.#output = output
  }

  /** Prints `above` permanently, and redraws the block below it. */
  draw(block: string[], above: string[] = []): void {
    if (this.#state === 'closed') return
    if (this.#state === 'new') process.once('exit', this.#onExit)
    const start = this.#state === 'new' ? HIDE_CURSOR : ''
    this.#state = 'drawing'
    const lines = [...above, ...block]
    const columns = width(this.#output)
    const isInPlace =
      columns === this.#columns && [...this.#drawn, ...lines].every((line) => displayWidth(line) <= columns)
    const isDrawn = (line: string, row: number) => isInPlace && line === this.#drawn[row]
    if (isInPlace && lines.length === this.#drawn.length && lines.every(isDrawn)) return
    const text = lines.map((line, row) => (isDrawn(line, row) ? '\n' : `${line}${CLEAR_REST_OF_LINE}\n`)).join('')
    this.#output.write(`${BEGIN}${start}${this.#backToTop()}${text}${CLEAR_BELOW}${END}`)
    this.#drawn = block
    this.#columns = columns
  }

  /** Leaves the last drawing where it is. */
  close(): void {
    if (this.#state === 'drawing') this.#output.write(SHOW_CURSOR)
    this.#state = 'closed'
    process.removeListener('exit', this.#onExit)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #backToTop(): string {
    const columns = width(this.#output)
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0)
    return rows === 0 ? '\r' : `\r\x1b[${rows}A`
  }
}
