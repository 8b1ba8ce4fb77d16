// What has to be written to make one line of the terminal another: from the first character that differs to the last. A
// drawing then stays below the 4 kB that a terminal takes at once, so that none is seen half done.
import { displayWidth } from '../../text/width.ts'

/** With the cursor anywhere on the line; leaves it there, with no colour. Both lines fit the screen. */
export function lineChange(before: string, after: string): string {
  const from = commonStart(before, after)
  const [column, rest] = [displayWidth(after.slice(0, from)), after.slice(from)]
  const start = `\x1b[${column + 1}G${coloursIn(after.slice(0, from))}`
  const end = commonEnd(before.slice(from), rest)
  const [old, now] = [before.slice(from, before.length - end), rest.slice(0, rest.length - end)]
  if (end > 0 && displayWidth(old) === displayWidth(now)) return `${start}${now}${coloursIn(rest.slice(-end))}`
  return `${start}${rest}${CLEAR_REST_OF_LINE}`
}

const CLEAR_REST_OF_LINE = '\x1b[K'

/** Characters at the start that are the same; cut between two plain ones, so that no sign and no colour is taken apart. */
function commonStart(a: string, b: string): number {
  let position = 0
  while (position < a.length && position < b.length && a[position] === b[position]) position += 1
  while (
    position > 0 &&
    !(isPlain(a, position - 1) && isPlainOrEnd(a, position) && isPlainOrEnd(b, position) && !isInColour(b, position))
  )
    position -= 1
  return position
}

/** The same at the end: the part begins with a plain character. */
function commonEnd(a: string, b: string): number {
  let count = 0
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1
  while (count > 0 && !(isPlain(b, b.length - count) && !isInColour(b, b.length - count))) count -= 1
  return count
}

function isPlain(text: string, position: number): boolean {
  const code = text.charCodeAt(position)
  return code >= 0x20 && code < 0x7f
}

/** The beginning of a colour is plain, too: it takes no room, and nothing can hang on to it. */
function isPlainOrEnd(text: string, position: number): boolean {
  return position >= text.length || text[position] === '\x1b' || isPlain(text, position)
}

/** Between the beginning of a sequence for a colour and its end. */
function isInColour(text: string, position: number): boolean {
  const begun = text.lastIndexOf('\x1b', position - 1)
  return begun >= 0 && text.indexOf('m', begun) >= position
}

/** All that a part says of colours: what is in force at its end. */
function coloursIn(text: string): string {
  return (text.match(COLOUR) ?? []).join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are made of
const COLOUR = /\x1b\[[\d;]*m/g
