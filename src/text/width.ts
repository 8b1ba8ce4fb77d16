// How many columns a text takes in a terminal, and how to fit it into some. Texts that agents wrote go through
// `oneLine` first: an escape sequence in a progress message must not reach the terminal.
import { stripVTControlCharacters } from 'node:util'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
// The blocks of East Asian Width W and F that people do write.
const WIDE =
  /^(?:\p{Emoji_Presentation}|.\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}])/u
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]/u
const PLAIN_ASCII = /^[\x20-\x7e]*$/

export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text)
  if (PLAIN_ASCII.test(plain)) return plain.length
  let width = 0
  for (const { segment } of graphemes.segment(plain)) width += segmentWidth(segment)
  return width
}

/** Of the widest of them. A loop, because a call takes no more than some 100,000 arguments. */
export function widest(texts: Iterable<string>): number {
  let width = 0
  for (const text of texts) width = Math.max(width, displayWidth(text))
  return width
}

/** The start of the text, ending in `…` where it was too long. For text without colour. */
export function fit(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (displayWidth(text) <= columns) return text
  let cut = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += segmentWidth(segment)
    if (used > columns - 1) break
    cut += segment
  }
  return `${cut}…`
}

/** Start and end of the text, with `…` for what is between. For names, which often differ at their end only. */
export function fitMiddle(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (displayWidth(text) <= columns) return text
  const endRoom = Math.floor((columns - 1) / 2)
  let end = ''
  let used = 0
  for (const { segment } of [...graphemes.segment(text)].reverse()) {
    used += segmentWidth(segment)
    if (used > endRoom) break
    end = segment + end
  }
  return fit(text, columns - displayWidth(end)) + end
}

/** Lines of at most so many columns, broken between words; a word is broken only where it is wider than a line. */
export function wrap(text: string, columns: number): string[] {
  if (displayWidth(text) <= columns) return [text]
  const room = Math.max(1, columns)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (displayWidth(longer) <= room) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (displayWidth(line) > room) {
      const [start, rest] = cutAt(line, room)
      lines.push(start)
      line = rest
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Every line but the first begins with `indent` spaces. */
export function hanging(text: string, columns: number, indent: number): string[] {
  const lines = wrap(text, columns - indent)
  return lines.map((line, index) => (index === 0 ? line : ' '.repeat(indent) + line))
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text
}

/** At least one character goes into the first part, so that whoever cuts on and on comes to an end. */
function cutAt(text: string, columns: number): [start: string, rest: string] {
  let start = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += segmentWidth(segment)
    if (start !== '' && used > columns) break
    start += segment
  }
  return [start, text.slice(start.length)]
}

function segmentWidth(segment: string): number {
  if (WIDE.test(segment)) return 2
  return ZERO.test(segment) ? 0 : 1
}
