// Help texts in as many columns as the terminal has. They are written in lines of at most 120 columns, and a terminal would
// break the longer ones in the middle of a word.
import { displayWidth, wrap } from '../../text/width.ts'

/** Lines that fit stay as they are, so tables and usage lines do. */
export function wrappedHelp(text: string, columns: number): string {
  return sentences(text.split('\n'), columns)
    .flatMap((line) => (displayWidth(line) <= columns ? [line] : brokenLine(line, columns)))
    .join('\n')
}

/** A sentence that goes on in the next line is one line, where not all of its lines would fit. */
function sentences(lines: readonly string[], columns: number): string[] {
  const joined: { text: string; from: string[] }[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last && goesOn(last.from.at(-1) ?? '', line)) {
      last.text = `${last.text} ${line.trim()}`
      last.from.push(line)
    } else joined.push({ text: line, from: [line] })
  }
  return joined.flatMap(({ text, from }) => (from.every((line) => displayWidth(line) <= columns) ? from : [text]))
}

/** Prose that does not end with its line, or the rest of what is said of an example. */
function goesOn(before: string, line: string): boolean {
  if (before.trim() === '' || line.trim() === '') return false
  if (line.startsWith(' '.repeat(EXPLAINED_FROM))) return true
  return !/^\s/.test(before) && !/^\s/.test(line) && !/[.:]$/.test(before)
}

const EXPLAINED_FROM = 20

/** What follows a gap of two spaces or more stays below itself, or below a small indent where there is little room. */
function brokenLine(line: string, columns: number): string[] {
  const [start = ''] = /^\s*\S.*?\s{2,}(?=\S)/.exec(line) ?? /^\s*/.exec(line) ?? []
  const text = line.slice(start.length)
  const indent = displayWidth(start)
  if (indent <= columns * NARROW_SHARE)
    return wrap(text, columns - indent).map((part, n) => (n === 0 ? start : ' '.repeat(indent)) + part)
  return [start.trimEnd(), ...wrap(text, columns - SMALL_INDENT).map((part) => ' '.repeat(SMALL_INDENT) + part)]
}

const NARROW_SHARE = 0.6
const SMALL_INDENT = 6
