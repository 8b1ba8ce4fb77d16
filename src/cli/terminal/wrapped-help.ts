// Wraps help texts to the width of the terminal. They are written in lines of at most 120 columns, and a terminal would
// break the longer ones in the middle of a word.
import { displayWidth, wrap } from '../../text/width.ts'

/** Leaves lines that fit unchanged, such as tables and usage lines. */
export function wrappedHelp(text: string, columns: number): string {
  return sentences(text.split('\n'), columns)
    .flatMap((line) => (displayWidth(line) <= columns ? [line] : brokenLine(line, columns)))
    .join('\n')
}

/** Joins the lines of a sentence if not all of them fit. */
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

/** Whether `line` continues the paragraph or example that `before` began. */
function goesOn(before: string, line: string): boolean {
  if (before.trim() === '' || line.trim() === '') return false
  if (line.startsWith(' '.repeat(EXPLAINED_FROM))) return true
  return !/^\s/.test(before) && !/^\s/.test(line) && !/[.:]$/.test(before)
}

const EXPLAINED_FROM = 20

/** Wraps the text after a gap of two or more spaces below its own start, or below a small indent if there is little room. */
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
