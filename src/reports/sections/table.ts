// A part of a report that is a heading, a few words and a table, in every format. Cells are plain text: agents may have
// written them.
import { html, line, markdown } from '../html/escape.ts'

export type TableSection = {
  title: string
  /** Said above the table. */
  words: string[]
  head: string[]
  rows: string[][]
  /** How many rows there are besides. */
  leftOut: number
}

/** Null: there is nothing to tell. */
export function tableInMarkdown(section: TableSection | null): string {
  if (!section) return ''
  const cells = section.rows.map((row) => row.map((cell) => words(line(cell, CELL_CHARS))))
  const lines = [section.head, section.head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`)
  const table = section.rows.length > 0 ? [lines.join('\n')] : []
  return [`## ${section.title}`, ...section.words.map(words), ...table, ...more(section)].join('\n\n')
}

export function tableInHtml(section: TableSection | null): string {
  if (!section) return ''
  const body = section.rows.map((row) => {
    const cells = row.map((cell) => `<td class="${widthOf(cell)}">${html(line(cell, CELL_CHARS))}</td>`)
    return `<tr>${cells.join('')}</tr>`
  })
  const head = section.head.map((name) => `<th>${name}</th>`).join('')
  const table = `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
  return [
    `<section><h2>${section.title}</h2>`,
    ...section.words.map((text) => `<p class="soft">${html(text)}</p>`),
    section.rows.length > 0 ? table : '',
    ...more(section).map((text) => `<p class="note">${html(text)}</p>`),
    '</section>',
  ].join('')
}

/** Ids and single words stay in one piece, and sentences get a width at which they can be read: the table scrolls if need be. */
function widthOf(cell: string): 'nw' | 'long' {
  return cell.length <= SHORT_CHARS ? 'nw' : 'long'
}

/** An amount of money begins no formula. */
function words(text: string): string {
  return markdown(text).replace(/\\\$(?=\d)/g, '$')
}

function more({ leftOut }: TableSection): string[] {
  return leftOut > 0 ? [`And ${leftOut} more; the JSON report has all of them.`] : []
}

const CELL_CHARS = 400
const SHORT_CHARS = 32
