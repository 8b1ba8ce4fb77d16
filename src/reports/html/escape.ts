// Everything an agent wrote is hostile: titles, logs, messages. Nothing reaches a report except through here.

import { jsonText } from '../../text/json.ts'

/** Text a person can read safely: no terminal escapes, no control or direction characters, no half characters. */
export function plainText(text: string): string {
  if (HARMLESS.test(text)) return text
  return text
    .toWellFormed()
    .replace(TERMINAL_ESCAPE, '')
    .replace(/\r\n|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[^\n]*\r(?=[^\n\r])/g, '') // a progress bar that redraws its line: only the last drawing counts
    .replace(/\r/g, '')
    .replace(DECEPTIVE, '\u{fffd}')
    .replace(CONTROL, '')
}

/** One line of at most `max` characters. */
export function line(text: string, max: number): string {
  // A line is cut before it is cleaned as well, so that a title of 10 MB costs no more than its beginning.
  const clean = plainText(text.slice(0, max * 4))
    .replace(/\s+/g, ' ')
    .trim()
  const whole = clean.length <= max && text.length <= max * 4
  return whole
    ? clean
    : `${clean
        .slice(0, max - 1)
        .toWellFormed()
        .trimEnd()}…`
}

/** The end of a log: its last lines, within both limits, saying how much was left out. */
export function tail(text: string, maxLines: number, maxChars: number): { text: string; cut: boolean } {
  const clean = plainText(text.slice(-4 * maxChars)).trimEnd()
  const lines = clean.split('\n')
  const last = lines.slice(-maxLines).join('\n')
  const cut = text.length > 4 * maxChars || lines.length > maxLines || last.length > maxChars
  return { text: last.slice(-maxChars).toWellFormed(), cut }
}

/** For HTML, both between tags and inside a quoted attribute. */
export function html(text: string): string {
  return plainText(text).replace(/[&<>"'`]/g, (character) => HTML_ENTITY[character] ?? '')
}

/** A line of Markdown in which nothing is markup, usable in a table cell. */
export function markdown(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]#|~$]/g, '\\$&')
    .replace(/^([-+=]|\d+(?=\.\s))/, startOfLine)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
}

/** A code span, usable in a table cell: the fence is longer than any run of backticks inside. */
export function markdownCode(text: string): string {
  const clean = plainText(text).replace(/\s+/g, ' ').replace(/\|/g, '\\|')
  const fence = '`'.repeat(longestRun(clean) + 1)
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${clean}${pad}${fence}`
}

export function markdownBlock(text: string): string {
  const clean = plainText(text)
  const fence = '`'.repeat(Math.max(3, longestRun(clean) + 1))
  return `${fence}text\n${clean}\n${fence}`
}

/** For a quoted Mermaid label: everything but plain letters becomes a character code. */
export function mermaid(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N} .,_-]/gu, (character) => `#${character.codePointAt(0)};`)
}

/** JSON that is also safe to print on a terminal and to place inside a `<script>`; the values stay what they were. */
export function json(value: unknown): string {
  const text = jsonText(value, 2)
  return text.replace(JSON_UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A word of a shell command. Ids never need quotes; this is for the day one does. */
export function shellWord(text: string): string {
  const clean = line(text, 200)
  return /^[\w./:@%+,=-]+$/.test(clean) ? clean : `'${clean.replace(/'/g, `'\\''`)}'`
}

/** What would begin a list or an underline; before a digit the backslash would show, so that one goes to the dot. */
function startOfLine(start: string): string {
  return /\d/.test(start) ? `${start}\\` : `\\${start}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

const HTML_ENTITY: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

const pattern = (source: string, flags = 'gu') => new RegExp(source, flags)

/** Printable ASCII and line breaks, which is nearly everything: nothing to clean. */
const HARMLESS = pattern('^[\\n\\t\\x20-\\x7e]*$', 'u')
/** Sequences that take an argument (OSC, DCS, APC, PM, SOS), control sequences, and the two-character ones. */
const TERMINAL_ESCAPE = pattern(
  '(?:\\x1b[\\]PX^_]|[\\x9d\\x90\\x98\\x9e\\x9f])[^\\x07\\x1b\\x9c\\n]{0,4096}(?:\\x07|\\x1b\\\\|\\x9c)?' +
    '|(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?|\\x1b[ -/]*[0-~]?',
)
/** Direction overrides and tag characters: they make text read as something it is not. */
const DECEPTIVE = pattern('[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}]')
const CONTROL = pattern('[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200b\\u2060\\ufeff\\ufff9-\\ufffb]')
const JSON_UNSAFE = pattern('[<\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]')

// Words that people and plans write with code in backticks, such as "Add `src/a.ts`", for an HTML page.

/** What stands between two backticks becomes code, or from one to where the text was cut; a single one stays as it is. */
export function withCode(text: string): string {
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? `<code>${html(part.replaceAll('`', ''))}</code>` : html(part)))
    .join('')
}

/** Split by it, every second part is code. */
const CODE = /(`[^`]+`|`[^`]+…$)/
