// A report as data, whatever it is about: a title, figures and sections. A section has a heading, a few words, a table, a list and parts of its own. Markdown is written here, where all
// text is escaped, because agents may have written it; the dashboard draws the same data.

import type { Tone } from '../../text/status-look.ts'
import { line, markdown, markdownBlock, markdownCode } from '../escape.ts'

export type Figure = [label: string, value: string, note: string]

export type ReportSection = {
  title: string
  words?: readonly string[]
  head?: readonly string[]
  rows?: readonly (readonly Cell[])[]
  list?: readonly Cell[]
  /** What a command printed, a diff. */
  blocks?: readonly string[]
  sections?: readonly ReportSection[]
  /** Only Markdown shows it. */
  mermaid?: string
  /** How many rows or entries there are besides, and where they are. */
  leftOut?: number
  where?: string
}

export type Cell = Piece | readonly Piece[]

/** Words; something to type or a path; tasks, which the dashboard links to; the task of a row, where links end; a sign with a colour. */
type Piece =
  | string
  | { code: string }
  | { tasks: readonly string[]; most?: number }
  | { ownRow: string }
  | { sign: string; tone: Tone; title: string }

export function listed(pieces: readonly Piece[]): Piece[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [', ', piece]))
}

/** `all`: how many rows there would be without a limit. Null without rows. */
export function tableSection(
  title: string,
  words: string,
  head: string[],
  rows: Cell[][],
  all: number,
): ReportSection | null {
  if (rows.length === 0) return null
  const left = { leftOut: all - rows.length, where: '`--json` has all of them' }
  return { title, words: words === '' ? [] : [words], head, rows, ...left }
}

/** No longer than a page shows, for whoever sends it somewhere. */
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

/** Spaces at the ends of a text stay: it may stand between two others. */
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
    ...sections.map(sectionInMarkdown),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Empty for null, and where there is nothing in it. */
export function sectionInMarkdown(section: ReportSection | null): string {
  return section ? partInMarkdown(section, 2) : ''
}

/** `level`: of its heading. */
export function partInMarkdown(section: ReportSection, level: number): string {
  if (isEmpty(section)) return ''
  const { title, words = [], head = [], rows = [], list = [], blocks = [], sections = [], mermaid } = section
  const cells = rows.map((row) => row.map(cellInMarkdown))
  const table = [head.map(wordsInMarkdown), head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
  // Two columns without names are a list.
  const entries = [...(head.length > 0 ? [] : cells.map((row) => row.join(': '))), ...list.map(cellInMarkdown)]
  return [
    `${'#'.repeat(level)} ${wordsInMarkdown(title)}`,
    ...words.map(wordsInMarkdown),
    ...(rows.length > 0 && head.length > 0 ? [table.join('\n')] : []),
    ...(entries.length > 0 ? [entries.map((entry) => `- ${entry}`).join('\n')] : []),
    ...blocks.map(markdownBlock),
    ...(mermaid ? [`\`\`\`mermaid\n${mermaid.trimEnd()}\n\`\`\``] : []),
    ...sections.map((one) => partInMarkdown(one, level + 1)),
    ...leftOut(section),
  ].join('\n\n')
}

function cellInMarkdown(cell: Cell): string {
  return pieces(cell, (piece) => {
    if (typeof piece === 'string') return wordsInMarkdown(line(piece, CELL_CHARS))
    if ('code' in piece) return markdownCode(line(piece.code, CODE_CHARS))
    if ('ownRow' in piece) return markdownCode(piece.ownRow)
    if ('sign' in piece) return piece.sign
    const shown = piece.tasks.slice(0, piece.most ?? MAX_TASKS)
    return shown.map(markdownCode).join(', ') + more(piece.tasks.length - shown.length)
  })
}

/** Spaces at the ends of a text between two other pieces stay. */
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

/** An amount of money is not the beginning of a formula. */
function wordsInMarkdown(text: string): string {
  return markdown(text).replace(/\\\$(?=\d)/g, '$')
}

export function isEmpty({
  words = [],
  rows = [],
  list = [],
  blocks = [],
  sections = [],
  mermaid = '',
}: ReportSection): boolean {
  return mermaid === '' && [words, rows, list, blocks, sections].every(({ length }) => length === 0)
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : ''
}

function leftOut({ leftOut = 0, where = 'the JSON report has all of them' }: ReportSection): string[] {
  return leftOut > 0 ? [`And ${leftOut} more; ${where}.`] : []
}

const TITLE_CHARS = 200
const CELL_CHARS = 400
/** Of a command, which is of no use without its end. */
const CODE_CHARS = 2_000
const WORDS_CHARS = 2_000
const MOST_TASKS = 1_000
const MAX_TASKS = 60
