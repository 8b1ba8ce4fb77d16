// How many columns a text takes in a terminal, and how to fit it into some: string-width and wrap-ansi, and how Espalier cuts.
// Text that agents wrote goes through `safeLine` first.
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

export function displayWidth(text: string): number {
  const plain = text.includes('\x1b') ? stripVTControlCharacters(text) : text
  return NARROW.test(plain) ? plain.length : stringWidth(plain)
}

/** Width of the widest text. A loop, because a call takes no more than some 100,000 arguments. */
export function widest(texts: Iterable<string>): number {
  let width = 0
  for (const text of texts) width = Math.max(width, displayWidth(text))
  return width
}

/** The start of the text, ending in `…` where it was too long. For text without colour. */
export function fit(text: string, columns: number): string {
  if (columns <= 0) return ''
  return displayWidth(text) <= columns ? text : `${firstOf(charactersOf(text), columns - 1).join('')}…`
}

/** Start and end of the text, with `…` for what is between. For names, which often differ at their end only. */
export function fitMiddle(text: string, columns: number): string {
  if (columns <= 0 || displayWidth(text) <= columns) return fit(text, columns)
  const endRoom = Math.floor((columns - 1) / 2)
  const end = firstOf(charactersOf(text).reverse(), endRoom).reverse().join('')
  return fit(text, columns - displayWidth(end)) + end
}

/** Lines of at most so many columns, broken between words; a word is broken only where it is wider than a line. */
export function wrap(text: string, columns: number): string[] {
  if (displayWidth(text) <= columns) return [text]
  return wrapAnsi(text, Math.max(1, columns), { hard: true }).split('\n')
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

/**
 * Latin letters, punctuation, and the signs that Espalier draws: one column each. Nearly all that `status` prints, and for the
 * rest string-width compiles a table of all emoji, which takes as long as half of Node's own start.
 */
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2193\u2212\u2500-\u257f\u25a0-\u25cf\u2713\u2717]*$/

/** As people count them: an emoji made of several is one. */
function charactersOf(text: string): string[] {
  if (NARROW.test(text)) return text.split('')
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
}

function firstOf(characters: readonly string[], columns: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => {
    used += displayWidth(character)
    return used > columns
  })
  return end < 0 ? [...characters] : characters.slice(0, end)
}
