// A terminal that remembers what stands on it, with colours, and draws it as an SVG. It knows what the views of Espalier use:
// colours, cursor up, clear to the end of the line and of the screen.
import { Writable } from 'node:stream'

type Cell = { text: string; style: string }

export class Screen extends Writable {
  readonly isTTY = true
  readonly columns: number
  readonly rows = 40
  readonly #seen: (screen: Screen) => void
  #lines: Cell[][] = [[]]
  #row = 0
  #column = 0
  #style = new Set<string>()

  /** `seen` is called after every write. */
  constructor(columns: number, seen: (screen: Screen) => void = () => {}) {
    super({ decodeStrings: false })
    this.columns = columns
    this.#seen = seen
  }

  get text(): string {
    return this.#lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
  }

  /** The last `rows` lines, as an SVG without fonts or scripts of its own. */
  svg(title: string, rows = Number.POSITIVE_INFINITY): string {
    const all = [...this.#lines]
    while (all.at(-1)?.every(({ text }) => text.trim() === '')) all.pop()
    const lines = all.slice(-rows)
    const width = Math.ceil(this.columns * CELL.width) + 2 * PADDING
    const height = lines.length * CELL.height + 2 * PADDING
    const rowsText = lines.map((line, index) => {
      return `<text x="${PADDING}" y="${PADDING + (index + 0.75) * CELL.height}">${spans(line)}</text>`
    })
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9;white-space:pre}.c31{fill:#f07178}.c32{fill:#9ece6a}.c36{fill:#7dcfff}.c2{fill:#7c8494}.c1{font-weight:bold}</style>
<rect width="${width}" height="${height}" rx="8" fill="#1a1d24"/>
${rowsText.join('\n')}
</svg>
`
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    for (const [part, , number, letter] of String(chunk).matchAll(INPUT)) {
      if (letter) this.#control(letter, number ?? '')
      else this.#put(part)
    }
    this.#seen(this)
    done()
  }

  #control(letter: string, number: string): void {
    const line = this.#lines[this.#row] ?? []
    if (letter === 'A') this.#row = Math.max(0, this.#row - Number(number || '1'))
    else if (letter === 'K') this.#lines[this.#row] = line.slice(0, this.#column)
    else if (letter === 'J') this.#lines = [...this.#lines.slice(0, this.#row), line.slice(0, this.#column)]
    else if (letter === 'B') this.#row += Number(number || '1')
    else if (letter === 'M') this.#lines.splice(this.#row, Number(number || '1'))
    else if (letter === 'G') this.#column = Number(number || '1') - 1
    else if (letter === 'L') {
      const added = Array.from({ length: Number(number || '1') }, (): Cell[] => [])
      this.#lines.splice(this.#row, 0, ...added)
      const last = this.#lines.findLastIndex((one) => one.length > 0)
      this.#lines.length = Math.max(last + 2, this.#row + 1)
    } else if (letter === 'm') this.#paint(number)
  }

  #paint(number: string): void {
    if (number === '0' || number === '') this.#style.clear()
    else if (number === '22') for (const weight of ['1', '2']) this.#style.delete(weight)
    else if (number === '39') for (const colour of ['31', '32', '36']) this.#style.delete(colour)
    else this.#style.add(number)
  }

  #put(text: string): void {
    if (text === '\r') this.#column = 0
    else if (text === '\n' || this.#column >= this.columns) {
      this.#row += 1
      this.#column = 0
      if (this.#row === this.#lines.length) this.#lines.push([])
    }
    if (text === '\r' || text === '\n') return
    const line = this.#lines[this.#row] ?? []
    while (line.length < this.#column) line.push({ text: ' ', style: '' })
    line[this.#column] = { text, style: [...this.#style].map((one) => `c${one}`).join(' ') }
    this.#column += 1
  }
}

const ESCAPE = '\\u001b'
const INPUT = new RegExp(`(?:${ESCAPE}\\[(\\??)([\\d;]*)([A-Za-z]))|[^${ESCAPE}]`, 'gu')
const CELL = { width: 7.83, height: 18 }
const PADDING = 14

/** Neighbours of one style as one piece, each at its column: fonts differ in the width of signs. */
function spans(line: readonly Cell[]): string {
  const pieces: { column: number; text: string; style: string }[] = []
  for (const [column, { text, style }] of line.entries()) {
    const last = pieces.at(-1)
    if (last && last.style === style) last.text += text
    else pieces.push({ column, text, style })
  }
  return pieces
    .filter(({ text }) => text.trim() !== '')
    .map(({ column, text, style }) => {
      const look = style === '' ? '' : ` class="${style}"`
      return `<tspan x="${(PADDING + column * CELL.width).toFixed(1)}"${look}>${escaped(text.trimEnd())}</tspan>`
    })
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
