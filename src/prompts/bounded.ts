// Texts of others (agents, file names, output) as they may stand in a prompt: of a known length, without control
// characters, and where a line is expected, one line.
import { stripVTControlCharacters } from 'node:util'

/** Hands out what is left of a number of characters, to the most important first. */
export class Room {
  #left: number

  constructor(chars: number) {
    this.#left = chars
  }

  /** The text, or the part of it there is room for. */
  take(text: string): string {
    const taken = shortened(text, this.#left)
    this.#left = Math.max(0, this.#left - taken.length)
    return taken
  }
}

/** `- a`, `- b`, `- … and 7 more` */
export function listed(entries: readonly string[], most: number): string {
  const lines = entries.slice(0, most).map((entry) => `- ${oneLine(entry)}`)
  if (entries.length > most) lines.push(`- … and ${entries.length - most} more`)
  return lines.join('\n')
}

/** `` `a`, `b` and more (9 files in all) ``: a path may be a folder that stands for those in it. */
export function named(paths: readonly string[], count: number, most: number): string {
  const shown = paths.slice(0, most).map((path) => `\`${oneLine(path)}\``)
  const more = paths.length > most ? ` and more (${count} files in all)` : ''
  return shown.join(', ') + more
}

/** Set off from the words around it. */
export function indented(text: string): string {
  return plain(text).trimEnd().replace(/^/gm, '    ')
}

/** A line that says what happened; what a command printed follows, set off: it may look like a prompt itself. */
export function setOff(message: string): string {
  const [said = '', ...printed] = plain(message).split('\n')
  return printed.length === 0 ? said : `${said}\n${indented(printed.join('\n'))}`
}

export function oneLine(text: string, most = LINE_CHARS): string {
  const line = plain(text).replace(/\s+/g, ' ').trim()
  return shortened(line, most)
}

/** As it would be read in a terminal: without colours and other control characters. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n')).replace(CONTROL, '')
}

export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // Never half of a character.
  const kept = text.slice(0, Math.max(0, most - NOTE.length)).replace(/[\ud800-\udbff]$/, '')
  return kept === '' ? '' : kept + NOTE
}

const LINE_CHARS = 300
const NOTE = ' … (cut)'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
