// What the fields of a batch or task say: `**Verification:**`, `**Dependencies:**`, `**Status:**`.

import { type AcceptedChecks, checksOfItem, commandsIn, type FoundChecks, joined } from '../checks/commands-in.ts'
import { isVerificationField } from './field-names.ts'
import { readStatus, type Status } from './read-status.ts'
import type { Field, Section } from './sections.ts'

export function fieldsNamed({ fields }: Section, names: readonly string[]): Field[] {
  return names.flatMap((name) => fields.get(name) ?? [])
}

/** `said`: in which words; null: the heading says so. What the field says counts more than that. */
export function statusOf({ fields, state }: Section): Status & { said: string | null } {
  const field = fields.get('status')
  const said = field?.said ?? ''
  const status = readStatus(said)
  if (said !== '' && (status.state !== 'open' || status.isWorthTelling)) return { ...status, said }
  return { state, isWorthTelling: state !== 'open', said: null }
}

export function verificationOf({ fields }: Section, accepted: AcceptedChecks): FoundChecks {
  const named = [...fields].filter(([name]) => isVerificationField(name))
  return joined(named.map(([, field]) => verificationIn(field, accepted)))
}

function verificationIn({ said, line, lines }: Field, accepted: AcceptedChecks): FoundChecks {
  const own = said === '' ? [] : [checksOfItem(said, line, { accepted, expected: '' })]
  return joined([...own, commandsIn(lines, accepted)])
}
