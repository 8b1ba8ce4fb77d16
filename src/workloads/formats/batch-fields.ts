// What the fields of a batch or task say: `**Verification:**`, `**Dependencies:**`, `**Status:**`.
import { type Field, itemsOf, type Section } from './batch-sections.ts'
import { commandsIn, type Verification } from './commands-in.ts'
import { commandsOfItem } from './shell-command.ts'

export function dependenciesOf({ fields }: Section): Field | undefined {
  return fields.get('dependencies') ?? fields.get('depends on') ?? fields.get('dependency')
}

/** `**Status:** done` is not asked for by the format, but people note it. */
export function saysDone({ fields }: Section): boolean {
  return /^[^\w]*(?:done|completed?|finished|landed|merged|✅|✓)\b|^(?:✅|✓|☑|✔)/i.test(
    fields.get('status')?.said ?? '',
  )
}

/** Commands, in the order of the file; `words`: how many items are more than that. */
export function verificationOf({ fields }: Section): Verification {
  const field = fields.get('verification') ?? fields.get('verify')
  if (!field) return { verify: [], words: 0 }
  const items = new Set(itemsOf(field).map(({ line }) => line))
  const below = commandsIn(field.lines, (line) => items.has(line))
  if (field.said === '') return below
  const said = commandsOfItem(field.said)
  return { verify: [...said.verify, ...below.verify], words: below.words + (said.hasWords ? 1 : 0) }
}
