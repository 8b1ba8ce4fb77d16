// Any report as data: a title, figures and sections. A section has a heading, a few words, a table, a list and
// subsections. This file also writes it as Markdown and escapes all text, because agents may have written it; the dashboard draws
// the same data.

import type { Tone } from '../../text/status-look.ts'
import { line, markdown, markdownBlock, markdownCode } from '../escape.ts'

export type Figure = [label: string, value: string, note: string]

export type ReportSection = {
  title: string
  words?: readonly string[]
  head?: readonly string[]
  rows?: readonly (readonly Cell[])[]
  list?: readonly Cell[]
  /** Preformatted text: output of a command, a diff. */
  blocks?: readonly string[]
  sections?: readonly ReportSection[]
  /** Shown in Markdown only. */
  mermaid?: string
  /** Number of rows or entries left out, and where to find them. */
  leftOut?: number
  where?: string
}

export type Cell = Piece | readonly Piece[]

/** Words; a command or path; tasks as links (in the dashboard); the task of this row, a link target; a sign with a colour. */
type Piece =
  | string
  | { code: string }
  | { tasks: readonly string[]; most?: number }
  | { ownRow: string }
  | { sign: string; tone: Tone; title: string }

export function listed(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [', ', piece]))
}

/** A table of the first `most` items, a row each. */
export function table<T>(
  head: readonly string[],
  all: readonly T[],
  rowOf: (one: T, index: number) => readonly Cell[],
  most = all.length,
) {
  return { head, rows: all.slice(0, most).map(rowOf), leftOut: Math.max(0, all.length - most) }
}

/** A list of the first `most` items. */
export function list<T>(all: readonly T[], entryOf: (one: T) => Cell, most = all.length) {
  return { list: all.slice(0, most).map(entryOf), leftOut: Math.max(0, all.length - most) }
}

/** Sections that are not empty. */
export function filled(sections: readonly (ReportSection | null)[]): ReportSection[] {
  return sections.filter((section) => section !== null && !isEmpty(section)) as ReportSection[]
}

/** Cuts texts to the length a page shows, before the section is sent to it. */
export function boundedSection(section: ReportSection): ReportSection {
  const { words, rows, list } = section
  return {
    ...section,
    ...(words ? { words: words.map((text) => line(text, WORDS_CHARS)) } : {}),
    ...(rows ? { rows: rows.map((row) => row.map(boundedCell)) } : {}),
    ...(list ? { list: list.map(boundedCell) } : {}),
  }
}

function boundedCell(cell: Cell): Cell {
  return Array.isArray(cell) ? (cell as Piece[]).map(boundedPiece) : boundedPiece(cell as Piece)
}

/** Keeps spaces at both ends: they separate the text from its neighbours. */
function boundedPiece(piece: Piece): Piece {
  if (typeof piece === 'string') return piece.length <= CELL_CHARS ? piece : line(piece, CELL_CHARS)
  if ('code' in piece) return { code: line(piece.code, CODE_CHARS) }
  return 'tasks' in piece ? { ...piece, tasks: piece.tasks.slice(0, MOST_TASKS) } : piece
}

export type ReportDocument = {
  title: string
  words: readonly Cell[]
  figures?: readonly Figure[]
  sections: readonly (ReportSection | null)[]
}

export function documentInMarkdown({ title, words, figures = [], sections }: ReportDocument): string {
  const rows = figures.map(([label, value, note]) => `| ${label} | **${value}** | ${note} |`)
  const parts = [
    `# ${cellInMarkdown(line(title, TITLE_CHARS))}`,
    ...words.map(cellInMarkdown),
    ...(rows.length > 0 ? [['|  |  |  |', '| --- | --- | --- |', ...rows].join('\n')] : []),
    ...filled(sections).map((section) => partInMarkdown(section, 2)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** `level`: the level of the heading. */
export function partInMarkdown(section: ReportSection, level: number): string {
  const { title, words = [], head = [], rows = [], list = [], blocks = [], sections = [], mermaid } = section
  const { leftOut = 0, where = 'the JSON report has all of them' } = section
  const cells = rows.map((row) => row.map(cellInMarkdown))
  const table = [head.map(wordsInMarkdown), head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
  // Rows without column names become list entries.
  const entries = [...(head.length > 0 ? [] : cells.map((row) => row.join(': '))), ...list.map(cellInMarkdown)]
  return [
    `${'#'.repeat(level)} ${wordsInMarkdown(title)}`,
    ...words.map(wordsInMarkdown),
    ...(rows.length > 0 && head.length > 0 ? [table.join('\n')] : []),
    ...(entries.length > 0 ? [entries.map((entry) => `- ${entry}`).join('\n')] : []),
    ...blocks.map(markdownBlock),
    ...(mermaid ? [`\`\`\`mermaid\n${mermaid.trimEnd()}\n\`\`\``] : []),
    ...filled(sections).map((one) => partInMarkdown(one, level + 1)),
    ...(leftOut > 0 ? [`And ${leftOut} more; ${where}.`] : []),
  ].join('\n\n')
}

function cellInMarkdown(cell: Cell): string {
  return pieces(cell, (piece) => {
    if (typeof piece === 'string') return wordsInMarkdown(line(piece, CELL_CHARS))
    if ('code' in piece) return markdownCode(line(piece.code, CODE_CHARS))
    if ('ownRow' in piece) return markdownCode(piece.ownRow)
    if ('sign' in piece) return piece.sign
    const shown = piece.tasks.slice(0, piece.most ?? MAX_TASKS)
    const left = piece.tasks.length - shown.length
    return `${shown.map(markdownCode).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  })
}

/** Keeps spaces at both ends of a text: they separate it from its neighbours. */
function pieces(cell: Cell, write: (piece: Piece) => string): string {
  if (!Array.isArray(cell)) return write(cell as Piece)
  return (cell as Piece[])
    .map((piece) => {
      if (typeof piece !== 'string') return write(piece)
      if (piece.trim() === '') return piece
      return `${piece.startsWith(' ') ? ' ' : ''}${write(piece)}${piece.endsWith(' ') ? ' ' : ''}`
    })
    .join('')
}

/** Unescapes `$` before a digit: Markdown renderers do not read `$5` as LaTeX. */
function wordsInMarkdown(text: string): string {
  return markdown(text).replace(/\\\$(?=\d)/g, '$')
}

/** Words that introduce a table do not count without its rows. */
function isEmpty({
  words = [],
  head = [],
  rows = [],
  list = [],
  blocks = [],
  sections = [],
  mermaid = '',
}: ReportSection) {
  const parts = [head.length > 0 ? [] : words, rows, list, blocks, sections]
  return mermaid === '' && parts.every(({ length }) => length === 0)
}

const TITLE_CHARS = 200
const CELL_CHARS = 400
/** Long, because a command without its end is useless. */
const CODE_CHARS = 2_000
const WORDS_CHARS = 2_000
const MOST_TASKS = 1_000
const MAX_TASKS = 60
