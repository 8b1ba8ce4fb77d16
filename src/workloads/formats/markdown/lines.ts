// Markdown as far as plans need it, in one pass over the lines. A whole parser takes seconds for ten megabytes, and loses
// the words as they were written.
import { LIMITS } from '../../../config.ts'
import { type Problem, problem } from '../../../problem.ts'
import { controlCharacter } from '../../document/control-character.ts'
import { placeAt } from '../../document/place.ts'

export type MarkdownLine = {
  text: string
  number: number
  /** How many characters of the line come before the text, where it is only a part of it. */
  start?: number
  heading: { level: number; title: string; column: number } | null
  /** Part of a fenced code block (its fences too) or of a comment: never a heading, a field or a task. */
  isQuoted: boolean
}

export type Markdown = {
  lines: MarkdownLine[]
  /** The line of a code block that does not end: all that follows is part of it. */
  openFence: number | null
}

/** As much of a file is looked at to find out which format it has. */
export const LOOKED_AT_CHARS = 256 << 10

/** Larger than any plan somebody has written; reading it takes about a second. */
const MAX_CHARS = 16 << 20

export function markdownTrouble(text: string, file: string): Problem | null {
  if (text.length > MAX_CHARS) {
    const size = (text.length / (1 << 20)).toFixed(1)
    return problem(`${size} MB is more than a plan in Markdown may have (${MAX_CHARS >> 20} MB)`, {
      file,
      line: 1,
      column: 1,
    })
  }
  const control = controlCharacter(text)
  return control && problem(control.message, { file, ...placeAt(text, control.offset) })
}

export function readMarkdown(text: string): Markdown {
  const written = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const blockEndOf = blockEnds(written)
  const found: Markdown = { lines: [], openFence: null }
  let blockEnd = -1
  let inComment = false
  for (const [index, line] of written.entries()) {
    const number = index + 1
    const inBlock = index <= blockEnd
    const isComment = !inBlock && (inComment || line.trimStart().startsWith('<!--'))
    if (isComment) inComment = !line.includes('-->')
    const end = inBlock || isComment ? null : blockEndOf(index)
    if (end === Number.POSITIVE_INFINITY) found.openFence = number
    blockEnd = end ?? blockEnd
    const isQuoted = inBlock || isComment || end !== null
    found.lines.push({ text: line, number, heading: isQuoted ? null : headingOf(line), isQuoted })
  }
  return found
}

export function textOf(lines: readonly MarkdownLine[]): string {
  let from = 0
  let to = lines.length
  while (from < to && isBlank(lines[from])) from++
  while (to > from && isBlank(lines[to - 1])) to--
  return lines
    .slice(from, to)
    .map(({ text }) => text)
    .join('\n')
}

export function isBlank(line: MarkdownLine | undefined): boolean {
  return line === undefined || line.text.trim() === ''
}

/** How many spaces it begins with; a tab counts to the next fourth column. */
export function indentOf(text: string): number {
  let columns = 0
  for (let i = 0; i < text.length && i < LIMITS.messageChars; i++) {
    if (text[i] === ' ') columns++
    else if (text[i] === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

/** `**Task 1**` is `Task 1`: people make a heading stand out twice. */
export function withoutEmphasis(text: string): string {
  return text.replaceAll('**', '').replaceAll('__', '').trim()
}

function headingOf(line: string): MarkdownLine['heading'] {
  const [, before = '', signs = '', rest = ''] = /^(\s*)(#{1,6})(?![^ \t])(.*)$/s.exec(line) ?? []
  if (signs === '' || indentOf(line) > 3) return null
  return { level: signs.length, title: withoutClosing(rest.trim()), column: before.length + 1 }
}

function withoutClosing(title: string): string {
  let end = title.length
  while (title[end - 1] === '#') end--
  return end === 0 || ' \t'.includes(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title
}

// Where code blocks end. Models put blocks into a block with fences of the same length, so a fence with a language begins one
// within it; where that does not come out even, the rules of Markdown hold.

/** More fences than in any document that somebody puts into a block. */
const MAX_NESTED = 64

type Fence = { position: number; char: string; length: number; hasLanguage: boolean }

/** The last line of the block that begins in a line; null where none begins, Infinity where it has no end. */
function blockEnds(lines: readonly string[]): (line: number) => number | null {
  const fences = lines.flatMap((line, position) => fenceOf(line, position) ?? [])
  const indexOf = new Map(fences.map(({ position }, index) => [position, index]))
  return (line) => {
    const from = indexOf.get(line)
    const begin = from === undefined ? undefined : fences[from]
    if (from === undefined || !begin) return null
    const open = [begin]
    for (let i = from + 1; i < fences.length && i <= from + MAX_NESTED && open.length > 0; i++) {
      const fence = fences[i] as Fence
      if (!isAsLong(fence, open.at(-1) as Fence)) continue
      if (fence.hasLanguage) open.push(fence)
      else open.pop()
      if (open.length === 0) return fence.position
    }
    for (let i = from + 1; i < fences.length; i++) {
      const fence = fences[i] as Fence
      if (!fence.hasLanguage && isAsLong(fence, begin)) return fence.position
    }
    return Number.POSITIVE_INFINITY
  }
}

/** In lists they are indented by any amount. */
function fenceOf(line: string, position: number): Fence | null {
  const text = line.trim()
  const [fence = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? []
  // Three backticks with more of them behind, in one line, are code within the text.
  if (fence === '' || (fence[0] === '`' && text.includes('`', fence.length))) return null
  return { position, char: fence.charAt(0), length: fence.length, hasLanguage: text.length > fence.length }
}

function isAsLong(fence: Fence, other: Fence): boolean {
  return fence.char === other.char && fence.length >= other.length
}
