// A terminal as far as the views use one: it wraps long lines, moves the cursor up, clears, and shows or hides the
// cursor. `screen` is what a person would see, scrollback included.
import { Writable } from 'node:stream'
import type { Output } from '../../src/cli/surroundings.ts'

const ESCAPE = '\\u001b'
/** A control sequence or one character. */
const INPUT = new RegExp(`(?:${ESCAPE}\\[(\\??)(\\d*)([A-Za-z]))|[^${ESCAPE}]`, 'g')

export class FakeTerminal extends Writable {
  readonly isTTY = true
  columns: number
  rows = 24
  cursorVisible = true
  writes = 0
  #lines: string[] = ['']
  #row = 0
  #column = 0

  constructor(columns = 80) {
    super({ decodeStrings: false })
    this.columns = columns
  }

  get output(): Output {
    return this
  }

  get screen(): string[] {
    const lines = this.#lines.map((line) => line.trimEnd())
    while (lines.at(-1) === '') lines.pop()
    return lines
  }

  /** Wraps what stands there already, as terminals do. */
  resize(columns: number): void {
    const wrapped = this.#lines.map((line) => line.trimEnd().match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''])
    this.#row = wrapped.slice(0, this.#row).flat().length
    this.#lines = wrapped.flat()
    this.columns = columns
    this.emit('resize')
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.writes += 1
    for (const [part, control, number, letter] of String(chunk).matchAll(INPUT)) {
      if (letter) this.#control(`${control ?? ''}${letter}`, Number(number || '1'))
      else this.#put(part)
    }
    done()
  }

  #control(kind: string, number: number): void {
    if (kind === 'A') this.#row = Math.max(0, this.#row - number)
    else if (kind === 'K') this.#lines[this.#row] = this.#line().slice(0, this.#column)
    else if (kind === 'B') this.#row += number
    else if (kind === 'M') this.#lines.splice(this.#row, number)
    else if (kind === 'G') this.#column = number - 1
    else if (kind === 'L') this.#insert(number)
    else if (kind === 'J') this.#lines = [...this.#lines.slice(0, this.#row), this.#line().slice(0, this.#column)]
    else if (kind === '?h' && number === 25) this.cursorVisible = true
    else if (kind === '?l' && number === 25) this.cursorVisible = false
  }

  /** What it pushes over the bottom of the screen is gone: the views do it with empty lines alone. */
  #insert(count: number): void {
    this.#lines.splice(this.#row, 0, ...Array<string>(count).fill(''))
    const last = this.#lines.findLastIndex((line) => line !== '')
    this.#lines.length = Math.max(last + 2, this.#row + 1)
  }

  #put(character: string): void {
    if (character === '\n') this.#newLine()
    else if (character === '\r') this.#column = 0
    else {
      if (this.#column >= this.columns) this.#newLine()
      const line = this.#line().padEnd(this.#column)
      this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1)
      this.#column += 1
    }
  }

  #newLine(): void {
    this.#row += 1
    this.#column = 0
    if (this.#row === this.#lines.length) this.#lines.push('')
  }

  #line(): string {
    return this.#lines[this.#row] ?? ''
  }
}
