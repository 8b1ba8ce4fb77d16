// The files of a task, below `**Files:**`. All are written but those under a label such as `Read:`.
import { pathsInField } from '../paths/field.ts'
import { pathsInProse } from '../paths/prose.ts'
import { isFilesField } from './field-names.ts'
import { type Field, itemsOf, type Section } from './sections.ts'

type NamedFiles = { write: string[]; read: string[] }

export function filesOf({ fields }: Section): NamedFiles {
  const named: NamedFiles = { write: [], read: [] }
  for (const [name, field] of fields) {
    // `**Test:** `test/a.test.ts``, but also words about how it is tested.
    if (name === 'test') named.write.push(...pathsInProse(field.said))
    if (!isFilesField(name)) continue
    const verb = isRead(name.replace(/^files to /, '')) ? 'read' : 'write'
    addListed(field, verb, named)
  }
  return named
}

function addListed(field: Field, verb: keyof NamedFiles, named: NamedFiles): void {
  // `- Read:` alone goes for the items below it.
  let heading = ''
  for (const item of [field.said, ...itemsOf(field).map(({ text }) => text)]) {
    const text = item.slice(0, MAX_CHARS)
    const match = /^(?:\*\*)?([A-Za-z][A-Za-z /&]{0,30}?)\s*(?::(?:\*\*)?|\*\*\s*:)(?:\s+(.*))?$/.exec(text)
    const label = match?.[1] ?? heading
    const paths = /^notes?$/i.test(label) ? [] : pathsInField(match ? (match[2] ?? '') : text)
    if (match) heading = match[2] ? '' : label
    named[isRead(label) ? 'read' : verb].push(...paths)
  }
}

/** `Read`, `Reference files`, `Read-only`; while `Read/Modify` is to be written. */
function isRead(label: string): boolean {
  return /^\W{0,3}(?:read|reference|review|see)(?:[ -](?:only|files?))?\W{0,3}$/i.test(label)
}

const MAX_CHARS = 4_000
