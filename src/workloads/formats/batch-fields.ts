// What the fields of a batch or task say: `**Files:**`, `**Verification:**`, `**Dependencies:**`, `**Status:**`.
import { type Field, itemsOf, type Section } from './batch-sections.ts'
import { commandsIn } from './commands-in.ts'
import { pathsOfItem } from './listed-paths.ts'
import { commandIn } from './shell-command.ts'

export function dependenciesOf({ fields }: Section): Field | undefined {
  return fields.get('dependencies') ?? fields.get('depends on') ?? fields.get('dependency')
}

/** `**Status:** done` is not asked for by the format, but people note it. */
export function saysDone({ fields }: Section): boolean {
  return /^[^\w]*(?:done|completed?|finished|landed|merged|✅|✓)\b|^(?:✅|✓|☑|✔)/i.test(
    fields.get('status')?.said ?? '',
  )
}

export function filesOf({ fields }: Section): { write: string[]; read: string[] } {
  const field = fields.get('files')
  const named = { write: [] as string[], read: [] as string[] }
  if (!field) return named
  // `- Read:` alone goes for the items below it.
  let heading = ''
  for (const text of [field.said, ...itemsOf(field).map(({ text }) => text)]) {
    const match = /^(?:\*\*)?([A-Za-z]+)\s*(?::\s*(?:\*\*)?|\*\*\s*:)\s*(.*)$/.exec(text)
    const verb = match?.[1]?.toLowerCase() ?? ''
    const isVerb = WRITES.has(verb) || READS.has(verb)
    const paths = pathsOfItem(isVerb ? (match?.[2] ?? '') : text)
    if (isVerb) heading = paths.length === 0 ? verb : ''
    named[READS.has(isVerb ? verb : heading) ? 'read' : 'write'].push(...paths)
  }
  return named
}

/** Commands, in the order of the file; `words`: how many items are none. */
export function verificationOf({ fields }: Section): { verify: string[]; words: number } {
  const field = fields.get('verification') ?? fields.get('verify')
  if (!field) return { verify: [], words: 0 }
  const items = new Set(itemsOf(field).map(({ line }) => line))
  const below = commandsIn(field.lines, (line) => items.has(line))
  if (field.said === '') return below
  const command = commandIn(field.said)
  return command === null ? { ...below, words: below.words + 1 } : { ...below, verify: [command, ...below.verify] }
}

const WRITES = new Set([
  'create',
  'modify',
  'test',
  'update',
  'delete',
  'add',
  'edit',
  'remove',
  'write',
  'move',
  'rename',
])
const READS = new Set(['read', 'reference', 'see'])
