// The files that a task of a batch plan names: below `**Files:**`, `**Files to modify:**`, as a list or as a table.

import { cellsOf, isRow, isRule } from '../markdown/table-rows.ts'
import { pathsOfItem } from '../paths/listed-paths.ts'
import { pathsInProse } from '../paths/prose-paths.ts'
import { isFilesField } from './field-names.ts'
import { type Field, itemsOf, type Section } from './sections.ts'

export type NamedFiles = { write: string[]; read: string[] }

export function filesOf({ fields }: Section): NamedFiles {
  const named: NamedFiles = { write: [], read: [] }
  for (const [name, field] of fields) {
    // `**Test:** `test/a.test.ts``, but also words about how it is tested.
    if (name === 'test') named.write.push(...pathsInProse(field.said))
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
    if (HANDS_OFF.test(text)) continue
    const match = /^(?:\*\*)?([A-Za-z][A-Za-z /&]{0,30}?)\s*(?::(?:\*\*)?|\*\*\s*:)(?:\s+(.*))?$/.exec(text)
    const label = match?.[1]?.toLowerCase().split(/[ /&]/, 1)[0] ?? ''
    const paths = NOTES.has(label) ? [] : pathsOfItem(match ? (match[2] ?? '') : text)
    if (match) heading = paths.length === 0 ? label : ''
    const isRead = READ_ONLY.test(text) || READS.has(match ? label : heading)
    named[isRead ? 'read' : verb].push(...paths)
  }
}

/** Of a table: the column that is called so, else the first cell that is a path. */
function rowsOf({ lines }: Field): { path: string; isRead: boolean }[] {
  const written = lines.filter(({ text, isQuoted }) => !isQuoted && isRow(text))
  const rule = written.findIndex(({ text }) => isRule(text))
  const rows = written.map(({ text }) => cellsOf(text))
  const head = rule > 0 ? (rows[rule - 1] ?? []) : []
  const column = head.findIndex((cell) => /\b(?:path|file|name)s?\b/i.test(cell))
  return rows.slice(rule + 1).flatMap((cells) => {
    if (cells.some((one) => HANDS_OFF.test(one))) return []
    const cell = column >= 0 ? cells[column] : cells.find((one) => pathsInProse(one).length > 0)
    const isRead = cells.some((one) => READS.has(/^[a-z]+/i.exec(one)?.[0].toLowerCase() ?? ''))
    return pathsOfItem(cell ?? '').map((path) => ({ path, isRead }))
  })
}

/** Longer than any line somebody writes. */
const MAX_CHARS = 4_000

const READS = new Set(['read', 'reference', 'review', 'see'])
/** `No changes to src/a.ts`, `src/a.ts (unchanged)`; but not `src/a.ts (no changes to its types)`. */
const HANDS_OFF =
  /^[*_]*(?:no changes?\b|leave\b|do not\b|don['’]t\b|never\b|unchanged\b)|(?:\b(?:stays?|remains?|is|are)|[:([–—-])\s{0,9}(?:unchanged|untouched|no changes?(?: needed| required)?|(?:do not|don['’]t) (?:touch|change|modify|edit|alter))\s{0,9}[)\].]{0,2}$/i
const READ_ONLY = /\bread[- ]only\b/i
/** They speak of files that are not to be touched as often as of others. */
const NOTES = new Set(['note', 'notes', 'important', 'warning', 'caution', 'do', 'avoid'])
