// What the fields of a batch or task say: `**Verification:**`, `**Dependencies:**`, `**Status:**`.

import { addItem, bothOf, commandsIn, NO_VERIFICATION, type Verification } from '../commands/commands-in.ts'
import { commandsOfItem } from '../commands/shell-command.ts'
import { BLOCKS, isVerificationField, WAITS } from './field-names.ts'
import type { Field, Section } from './sections.ts'
import { readStatus, type Status } from './status.ts'

/** Those that say what it waits for. */
export function waitsOf(section: Section): Field[] {
  return WAITS.flatMap((name) => section.fields.get(name) ?? [])
}

/** Those that say what waits for it. */
export function blocksOf(section: Section): Field[] {
  return BLOCKS.flatMap((name) => section.fields.get(name) ?? [])
}

/** `said`: in which words; null: the heading says so. What the field says counts more than that. */
export function statusOf({ fields, state }: Section): Status & { said: string | null } {
  const field = fields.get('status')
  const said = field?.said ?? ''
  const status = readStatus(said)
  if (said !== '' && (status.state !== 'open' || status.isWorthTelling)) return { ...status, said }
  return { state, isWorthTelling: state !== 'open', said: null }
}

export function verificationField({ fields }: Section): Field | undefined {
  for (const [name, field] of fields) if (isVerificationField(name)) return field
  return undefined
}

/** In the order of the file. */
export function verificationOf({ fields }: Section): Verification {
  let found = NO_VERIFICATION
  for (const [name, field] of fields) if (isVerificationField(name)) found = bothOf(found, verificationIn(field))
  return found
}

function verificationIn({ said, line, lines }: Field): Verification {
  const own: Verification = { verify: [], words: 0, notRun: [] }
  if (said !== '') addItem(commandsOfItem(said), said, line, own)
  return bothOf(own, commandsIn(lines))
}
