// Treats all text from agents (titles, logs, messages) as hostile: it enters a report only through these functions.

import { jsonText } from '../text/json.ts'
import { escapeUnsafe, safeLine, safeText } from '../text/safe.ts'

export function line(text: string, max: number): string {
  // A line is cut before it is cleaned as well, so that a title of 10 MB costs no more than its beginning.
  const clean = safeLine(text.slice(0, max * 4))
  const whole = clean.length <= max && text.length <= max * 4
  return whole
    ? clean
    : `${clean
        .slice(0, max - 1)
        .toWellFormed()
        .trimEnd()}…`
}

/** The last lines of a log, within both limits. `cut`: something was left out. */
export function tail(text: string, maxLines: number, maxChars: number): { text: string; cut: boolean } {
  const clean = safeText(text.slice(-4 * maxChars)).trimEnd()
  const lines = clean.split('\n')
  const last = lines.slice(-maxLines).join('\n')
  const cut = text.length > 4 * maxChars || lines.length > maxLines || last.length > maxChars
  return { text: last.slice(-maxChars).toWellFormed(), cut }
}

/** Escapes text for HTML, between tags and in quoted attributes. */
export function html(text: string): string {
  return safeText(text).replace(/[&<>"'`]/g, (character) => HTML_ENTITY[character] ?? '')
}

/** A line of Markdown in which nothing is markup, usable in a table cell. */
export function markdown(text: string): string {
  return safeLine(text)
    .replace(/[\\`*_[\]#|~$]/g, '\\$&')
    .replace(/^([-+=]|\d+(?=\.\s))/, startOfLine)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
}

/** A code span, usable in a table cell: the fence is longer than any run of backticks inside. */
export function markdownCode(text: string): string {
  const clean = safeLine(text).replace(/\|/g, '\\|')
  const fence = '`'.repeat(longestRun(clean) + 1)
  const pad = clean.startsWith('`') || clean.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${clean}${pad}${fence}`
}

export function markdownBlock(text: string): string {
  const clean = safeText(text)
  const fence = '`'.repeat(Math.max(3, longestRun(clean) + 1))
  return `${fence}text\n${clean}\n${fence}`
}

/** Escapes a quoted Mermaid label: everything but plain letters becomes a character code. */
export function mermaid(text: string): string {
  return safeLine(text).replace(/[^\p{L}\p{N} .,_-]/gu, (character) => `#${character.codePointAt(0)};`)
}

/** JSON that is also safe to print on a terminal and to place inside a `<script>`; the values stay what they were. */
export function json(value: unknown): string {
  return escapeUnsafe(jsonText(value, 2)).replaceAll('<', '\\u003c')
}

/** Escapes the start of a list or an underline. In `1.` the backslash goes before the dot: before a digit it would show. */
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
