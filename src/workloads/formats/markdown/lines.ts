// The subset of Markdown that plans need, read in one pass over the lines. A full parser takes seconds for ten megabytes and
// loses the original text.
import { LIMITS } from '../../../config.ts'
import { type Problem, problem } from '../../../problem.ts'
import { controlCharacter } from '../../document/control-character.ts'
import { placeAt } from '../../document/place.ts'

export type MarkdownLine = {
  text: string
  number: number
  heading: { level: number; title: string; column: number } | null
  /** True inside a fenced code block (with its fences) or a comment: never a heading, a field or a task. */
  isQuoted: boolean
}

export type Markdown = {
  lines: MarkdownLine[]
  /** The line of a code block without an end, which includes all lines after it. */
  openFence: number | null
}

/** Length of the beginning of a file in which its format is recognised. */
export const LOOKED_AT_CHARS = 256 << 10

/** Larger than any real plan; reading it takes about a second. */
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

/** Number of leading spaces; a tab counts to the next fourth column. */
export function indentOf(text: string): number {
  let columns = 0
  for (let i = 0; i < text.length && i < LIMITS.messageChars; i++) {
    if (text[i] === ' ') columns++
    else if (text[i] === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

/** `**Task 1**` is `Task 1`: some people emphasize headings. */
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

// The ends of code blocks. Models nest blocks with fences of the same length, so a fence with a language opens a nested block;
// if the fences do not pair up that way, the rules of Markdown apply.

/** More fences than in any nested document. */
const MAX_NESTED = 64

type Fence = { position: number; char: string; length: number; hasLanguage: boolean }

/** Finds the last line of the block that begins in a line; null: no block begins there; Infinity: it has no end. */
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

/** The fence in a line, if it is one. In lists, fences are indented by any amount. */
function fenceOf(line: string, position: number): Fence | null {
  const text = line.trim()
  const [fence = ''] = /^(?:`{3,}|~{3,})/.exec(text) ?? []
  // Three backticks with more of them later in the line are inline code.
  if (fence === '' || (fence[0] === '`' && text.includes('`', fence.length))) return null
  return { position, char: fence.charAt(0), length: fence.length, hasLanguage: text.length > fence.length }
}

function isAsLong(fence: Fence, other: Fence): boolean {
  return fence.char === other.char && fence.length >= other.length
}
