// Foreign texts for a prompt: bounded and safe.
import { safeLine, safeText } from '../text/safe.ts'

/** Hands out a number of characters, to the most important texts first. */
export class Room {
  #left: number

  constructor(chars: number) {
    this.#left = chars
  }

  take(text: string): string {
    const taken = shortened(text, this.#left)
    this.#left = Math.max(0, this.#left - taken.length)
    return taken
  }
}

export function listed(entries: readonly string[], most: number): string {
  const lines = entries.slice(0, most).map((entry) => `- ${shortLine(entry)}`)
  if (entries.length > most) lines.push(`- … and ${entries.length - most} more`)
  return lines.join('\n')
}

/** `` `a`, `b` and more (9 files in all) ``: a path may be a folder that stands for its files. */
export function named(paths: readonly string[], count: number, most: number): string {
  const shown = paths.slice(0, most).map((path) => `\`${shortLine(path)}\``)
  const more = paths.length > most ? ` and more (${count} files in all)` : ''
  return shown.join(', ') + more
}

export function indented(text: string): string {
  return safeText(text).trimEnd().replace(/^/gm, '    ')
}

/** The first line as it is, the output of a command after it indented: it may look like a prompt itself. */
export function setOff(message: string): string {
  const [said = '', ...printed] = safeText(message).split('\n')
  return printed.length === 0 ? said : `${said}\n${indented(printed.join('\n'))}`
}

export function shortLine(text: string, most = LINE_CHARS): string {
  return shortened(safeLine(text), most)
}

export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // Never half of a character.
  const kept = text.slice(0, Math.max(0, most - NOTE.length)).replace(/[\ud800-\udbff]$/, '')
  return kept === '' ? '' : kept + NOTE
}

const LINE_CHARS = 300
const NOTE = ' … (cut)'
