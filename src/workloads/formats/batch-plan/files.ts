// The files that a task of a batch plan names: below `**Files:**`, `**Files to modify:**`, as a list or as a table.

import { cellsOf, isRow, isRule } from '../markdown/table-rows.ts'
import { pathsOfItem } from '../paths/listed.ts'
import { pathsInProse } from '../paths/prose.ts'
import { isFilesField } from './field-names.ts'
import { type Field, itemsOf, type Section } from './sections.ts'

export type NamedFiles = { write: string[]; read: string[] }

export function filesOf({ fields }: Section): NamedFiles {
  const named: NamedFiles = { write: [], read: [] }
  for (const [name, field] of fields) {
    // `**Test:** `test/a.test.ts``, but also words about how it is tested.
    if (name === 'test') named.write.push(...pathsInProse(field.said))
    if (!isFilesField(name)) continue
    const isRead = name.split(' ').some((word) => READS.has(word)) && !actionsIn(name).some((one) => CHANGES.has(one))
    const verb = isRead ? 'read' : 'write'
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
    const actions = actionsIn(match?.[1] ?? '')
    const label = actions.find((one) => CHANGES.has(one)) ?? actions[0] ?? ''
    const action = match ? label : heading
    const said = CHANGES.has(action) ? null : saidOf(text)
    if (said === 'hands off') continue
    const paths = NOTES.has(label) ? [] : pathsOfItem(match ? (match[2] ?? '') : text)
    if (match) heading = paths.length === 0 ? label : ''
    named[said === 'read' || READS.has(action) ? 'read' : verb].push(...paths)
  }
}

/** What is said of a path that may be changed otherwise. */
function saidOf(text: string): 'hands off' | 'read' | null {
  if (HANDS_OFF.test(text)) return 'hands off'
  if (READ_FIRST.test(text)) return 'read'
  const match = SAID_BEHIND.exec(text)
  if (!match || !isPathAtEnd(text.slice(0, match.index))) return null
  return match[1] === undefined ? 'hands off' : 'read'
}

/** Only what stands right behind the path is said of it: `src/a.ts: its exports are unchanged` is a file to change. */
function isPathAtEnd(text: string): boolean {
  const before = text.trimEnd()
  const last = before.slice(before.lastIndexOf(' ') + 1)
  return last === before || /[/.`*)]/.test(last)
}

/** Of a table: the column that is called so, else the first cell that is a path. */
function rowsOf({ lines }: Field): { path: string; isRead: boolean }[] {
  const written = lines.filter(({ text, isQuoted }) => !isQuoted && isRow(text))
  const rule = written.findIndex(({ text }) => isRule(text))
  const rows = written.map(({ text }) => cellsOf(text))
  const head = rule > 0 ? (rows[rule - 1] ?? []) : []
  const column = head.findIndex((cell) => /\b(?:path|file|name)s?\b/i.test(cell))
  const action = head.findIndex((cell) => /^\W*(?:action|operation|mode|access|verb)s?\W*$/i.test(cell))
  return rows.slice(rule + 1).flatMap((cells) => {
    const does = doneWith(cells, action)
    if (does === 'nothing') return []
    const cell = column >= 0 ? cells[column] : cells.find((one) => pathsInProse(one).length > 0)
    return pathsOfItem(cell ?? '').map((path) => ({ path, isRead: does === 'read' }))
  })
}

/** A cell that says it alone counts, or the column for it by its first word; other cells are notes. That it is changed counts most. */
function doneWith(cells: readonly string[], action: number): 'change' | 'read' | 'nothing' | null {
  const actions = actionsIn(cells[action] ?? '')
  const alone = cells.map((cell) =>
    cell
      .replace(/[*_`.]/g, '')
      .trim()
      .toLowerCase(),
  )
  if ([...actions, ...alone].some((one) => CHANGES.has(one))) return 'change'
  if (cells.some((cell) => HANDS_OFF.test(cell) || saidOf(cell) === 'hands off')) return 'nothing'
  return READS.has(actions[0] ?? '') || alone.some((cell) => READS.has(cell.replace(/[- ]only$/, ''))) ? 'read' : null
}

/** `Read/Modify`, `Review and fix`, `Reference → rewrite`: the first word of each that are joined so. */
function actionsIn(text: string): string[] {
  return text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .split(/[/&+,:;→>]|\b(?:and|then)\b/)
    .flatMap((part) => /[a-z]+/.exec(part)?.[0] ?? [])
}

/** Longer than any line somebody writes. */
const MAX_CHARS = 4_000

const READS = new Set(['read', 'reference', 'review', 'see'])
const CHANGES = new Set([
  ...['modify', 'change', 'edit', 'update', 'create', 'add', 'new', 'write', 'rewrite', 'extend', 'refactor', 'fix'],
  ...['replace', 'rename', 'move', 'delete', 'remove', 'test', 'tests'],
])
/** `No changes to src/a.ts`, `Leave src/a.ts alone`. */
const HANDS_OFF = /^[*_]{0,3}(?:no changes?|leave|do not|don['’]t|never|unchanged)(?=[\s:*]|$)/i
const READ_FIRST = /^[*_]{0,3}read[- ]only(?=[\s:*])/i
/** `src/a.ts (unchanged)`, `src/a.ts stays untouched`, `src/a.ts - read only`; but not `src/a.ts (no changes to its types)`. */
const SAID_BEHIND =
  /(?:\s(?:stays?|remains?|is|are)\s{1,3}|\s{0,3}[:([,]\s{0,3}|\s{1,3}[–—-]{1,2}\s{1,3}|\s)(?:(read[- ]only|reference only)|unchanged|untouched|no changes?(?: needed| required)?|(?:do not|don['’]t) (?:touch|change|modify|edit|alter))(?:\s{0,9}[)\].]{0,2}$|\s{0,3}[,;:–—][^()]{0,200}[)\]][).]?$)/i
/** They speak of files that are not to be touched as often as of others. */
const NOTES = new Set(['note', 'notes', 'important', 'warning', 'caution', 'do', 'avoid'])
