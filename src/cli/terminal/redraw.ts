// A block of lines at the bottom of the terminal that is drawn over and over, while finished lines scroll up above it.
//
// Properties: one write per drawing, so nothing flickers, and none where nothing has changed; of a line only what differs is
// written, and what scrolls up is inserted above the block; lines are never cleared before they are written; the cursor is hidden from the first drawing on and shown again by `close`, and also when the process exits in any other way.
// Tolerated: a terminal that was made narrower may already have wrapped our lines; the rows they take now are counted
// anew with the new width.
import { displayWidth } from '../../text/width.ts'
import type { Output } from '../surroundings.ts'
import { width } from '../surroundings.ts'
import { lineChange } from './line-change.ts'
import { movedLines, moveText } from './moved-lines.ts'

const HIDE_CURSOR = '\x1b[?25l'
const SHOW_CURSOR = '\x1b[?25h'
// Terminals that know "synchronized output" show the drawing at once; the others ignore it.
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

  /** Puts `above` into the scrollback for good, and the block below it. */
  draw(block: string[], above: string[] = []): void {
    if (this.#state === 'closed') return
    if (this.#state === 'new') process.once('exit', this.#onExit)
    const start = this.#state === 'new' ? HIDE_CURSOR : ''
    this.#state = 'drawing'
    const isSameShape = this.#hasShape(block, above)
    if (isSameShape && above.length === 0 && block.every((line, row) => line === this.#drawn[row])) return
    const drawing = isSameShape ? this.#changed(block, above) : this.#whole(block, above)
    this.#output.write(`${BEGIN}${start}${drawing}${END}`)
    this.#drawn = block
    this.#columns = width(this.#output)
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

  #whole(block: readonly string[], above: readonly string[]): string {
    const lines = [...above, ...block].map((line) => `${line}${CLEAR_REST_OF_LINE}\n`)
    return `${this.#backToTop()}${lines.join('')}${CLEAR_BELOW}`
  }

  /** The block keeps its rows: they are changed in place, below the new lines, for which the screen scrolls if it has to. */
  #changed(block: readonly string[], above: readonly string[]): string {
    const { moves, lines: drawn } = movedLines(this.#drawn, block)
    const changes = block.map((line, row) => (line === drawn[row] ? '\n' : `${lineChange(drawn[row] ?? '', line)}\n`))
    const inPlace = `${moves.map(moveText).join('')}${changes.join('')}`
    if (above.length === 0) return `${this.#backToTop()}${inPlace}`
    const toTop = `\r\x1b[${block.length + above.length}A`
    return `${'\n'.repeat(above.length)}${toTop}\x1b[${above.length}L${above.map((line) => `${line}\n`).join('')}${inPlace}`
  }

  /** As many rows as are on the screen, none of them wrapped, and enough of it for what is to stand above. */
  #hasShape(block: readonly string[], above: readonly string[]): boolean {
    const columns = width(this.#output)
    const fits = (line: string) => displayWidth(line) <= columns
    if (columns !== this.#columns || block.length !== this.#drawn.length || block.length === 0) return false
    if (block.length + above.length >= (this.#output.rows ?? 0) && above.length > 0) return false
    return this.#drawn.every(fits) && block.every(fits) && above.every(fits)
  }

  #backToTop(): string {
    const columns = width(this.#output)
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0)
    return rows === 0 ? '\r' : `\r\x1b[${rows}A`
  }
}
