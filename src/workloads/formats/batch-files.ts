// The files that a task of a batch plan names: below `**Files:**`, `**Files to modify:**`, as a list or as a table.
import { type Field, isFilesField, itemsOf, type Section } from './batch-sections.ts'
import { pathsOfItem } from './listed-paths.ts'
import { pathsInProse } from './prose-paths.ts'

export type NamedFiles = { write: string[]; read: string[] }

export function filesOf({ fields }: Section): NamedFiles {
  const named: NamedFiles = { write: [], read: [] }
  for (const [name, field] of fields) {
    if (!isFilesField(name)) continue
    const verb = name.split(' ').some((word) => READS.has(word)) ? 'read' : 'write'
    addListed(field, verb, named)
    for (const { path, isRead } of rowsOf(field)) named[isRead ? 'read' : verb].push(path)
  }
  return named
}

function addListed(field: Field, verb: keyof NamedFiles, named: NamedFiles): void {
  // `- Read:` alone goes for the items below it.
  let heading = ''
  for (const item of [field.said, ...itemsOf(field).map(({ text }) => text)]) {
    const text = item.slice(0, MAX_CHARS)
    const match = /^(?:\*\*)?([A-Za-z][A-Za-z /&]{0,30}?)\s*(?::(?:\*\*)?|\*\*\s*:)(?:\s+(.*))?$/.exec(text)
    const label = match?.[1]?.toLowerCase().split(/[ /&]/, 1)[0] ?? ''
    const paths = NOTES.has(label) ? [] : pathsOfItem(match ? (match[2] ?? '') : text)
    if (match) heading = paths.length === 0 ? label : ''
    named[READS.has(match ? label : heading) ? 'read' : verb].push(...paths)
  }
}

/** Of a table: the column that is called so, else the first cell that is a path. */
function rowsOf({ lines }: Field): { path: string; isRead: boolean }[] {
  const rows = lines.filter(({ text, isQuoted }) => !isQuoted && /^\s*\|/.test(text)).map(({ text }) => cellsOf(text))
  const rule = rows.findIndex((cells) => cells.every((cell) => /^:?-+:?$/.test(cell)))
  const head = rule > 0 ? (rows[rule - 1] ?? []) : []
  const column = head.findIndex((cell) => /\b(?:path|file|name)s?\b/i.test(cell))
  return rows.slice(rule + 1).flatMap((cells) => {
    const cell = column >= 0 ? cells[column] : cells.find((one) => pathsInProse(one).length > 0)
    const isRead = cells.some((one) => READS.has(one.toLowerCase()))
    return pathsOfItem(cell ?? '').map((path) => ({ path, isRead }))
  })
}

function cellsOf(row: string): string[] {
  const cells = row.trim().slice(0, MAX_CHARS).replace(/^\|/, '').replace(/\|$/, '')
  return cells.split('|').map((cell) => cell.trim())
}

/** Longer than any line somebody writes. */
const MAX_CHARS = 4_000

const READS = new Set(['read', 'reference', 'review', 'see'])
/** They speak of files that are not to be touched as often as of others. */
const NOTES = new Set(['note', 'notes', 'important', 'warning', 'caution', 'do', 'avoid'])
