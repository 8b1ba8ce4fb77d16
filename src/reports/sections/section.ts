// A part of a report as data: a heading, a few words, a table, a list and parts of its own. It is written the same way in
// Markdown and in HTML.
// All text may have been written by agents, and is escaped here.

import type { Tone } from '../../text/status-look.ts'
import { html, line, markdown, markdownBlock, markdownCode, withCode } from '../html/escape.ts'

export type ReportSection = {
  title: string
  words?: readonly string[]
  head?: readonly string[]
  rows?: readonly (readonly Cell[])[]
  list?: readonly Cell[]
  /** What a command printed, a diff. */
  blocks?: readonly string[]
  sections?: readonly ReportSection[]
  /** HTML, which only a page shows; Mermaid, which only Markdown does. */
  drawing?: string
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

/** Empty for null, and where there is nothing in it. */
export function sectionInMarkdown(section: ReportSection | null): string {
  return section ? partInMarkdown(section, 2) : ''
}

/** `level`: of its heading. */
export function partInMarkdown(section: ReportSection, level: number): string {
  if (isEmpty(section, section.mermaid)) return ''
  const { title, words = [], head = [], rows = [], list = [], blocks = [], sections = [], mermaid } = section
  const cells = rows.map((row) => row.map(cellInMarkdown))
  const table = [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
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

export function sectionInHtml(section: ReportSection | null): string {
  if (!section || isEmpty(section, section.drawing)) return ''
  return `<section><h2>${html(section.title)}</h2>${insideInHtml(section)}</section>`
}

function insideInHtml(section: ReportSection): string {
  const { words = [], head = [], rows = [], list = [], blocks = [], sections = [], drawing = '' } = section
  const cells = (row: readonly Cell[]) =>
    row.map((cell) => `<td class="${widthOf(cell)}">${cellInHtml(cell)}</td>`).join('')
  const names = head.map((name) => `<th>${html(name)}</th>`).join('')
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('')
  const entries = list.map((cell) => `<li>${cellInHtml(cell)}</li>`).join('')
  const open = sections.length > OPEN_SECTIONS ? '' : ' open'
  return [
    ...words.map((text) => `<p class="soft">${withCode(text)}</p>`),
    drawing,
    body && `<div class="scroll"><table><thead><tr>${names}</tr></thead><tbody>${body}</tbody></table></div>`,
    entries && `<ul class="paths">${entries}</ul>`,
    ...blocks.map((text) => `<pre>${html(text)}</pre>`),
    ...sections.map((one) => `<details${open}><summary>${html(one.title)}</summary>${insideInHtml(one)}</details>`),
    ...leftOut(section).map((text) => `<p class="note">${withCode(text)}</p>`),
  ].join('')
}

/** More than these are closed at first. */
const OPEN_SECTIONS = 20

export function cellInMarkdown(cell: Cell): string {
  return pieces(cell, (piece) => {
    if (typeof piece === 'string') return wordsInMarkdown(line(piece, CELL_CHARS))
    if ('code' in piece) return markdownCode(line(piece.code, CODE_CHARS))
    if ('ownRow' in piece) return markdownCode(piece.ownRow)
    if ('sign' in piece) return piece.sign
    const shown = piece.tasks.slice(0, piece.most ?? MAX_TASKS)
    return shown.map(markdownCode).join(', ') + more(piece.tasks.length - shown.length)
  })
}

export function cellInHtml(cell: Cell): string {
  return pieces(cell, (piece) => {
    if (typeof piece === 'string') return withCode(line(piece, CELL_CHARS))
    if ('sign' in piece) return html(piece.sign)
    if ('code' in piece) return inCode(piece.code)
    return 'ownRow' in piece
      ? inCode(piece.ownRow)
      : piece.tasks
          .slice(0, piece.most ?? MAX_TASKS)
          .map(inCode)
          .join(', ')
  })
}

function inCode(text: string): string {
  return `<code>${html(line(text, CODE_CHARS))}</code>`
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

/** Ids and single words are not wrapped, sentences get a readable width: the table scrolls if needed. */
function widthOf(cell: Cell): 'nw' | 'long' {
  const isShort = typeof cell === 'string' ? cell.length <= SHORT_CHARS : 'ownRow' in cell
  return isShort ? 'nw' : 'long'
}

function isEmpty(section: ReportSection, drawing = ''): boolean {
  const { words = [], rows = [], list = [], blocks = [], sections = [] } = section
  return drawing === '' && [words, rows, list, blocks, sections].every(({ length }) => length === 0)
}

function more(count: number): string {
  return count > 0 ? ` and ${count} more` : ''
}

function leftOut({ leftOut = 0, where = 'the JSON report has all of them' }: ReportSection): string[] {
  return leftOut > 0 ? [`And ${leftOut} more; ${where}.`] : []
}

const CELL_CHARS = 400
/** Of a command, which is of no use without its end. */
const CODE_CHARS = 2_000
const WORDS_CHARS = 2_000
const MOST_TASKS = 1_000
const SHORT_CHARS = 32
const MAX_TASKS = 60
