// How a subtask of an implementation plan is to be verified: shell commands are run, everything else is told.
import { isMapping } from '../schema-check.ts'
import type { Item } from './json-reader.ts'
import { prose, type Section } from './prompt-text.ts'
import { runnableCommand } from './trailing-remark.ts'

/** A person does these, or nobody: a command beside them is an explanation. */
const NOT_RUN = new Set(['manual', 'none'])

export function verificationOf({ value }: Item): { verify: string[]; sections: Section[] } {
  const written = value.verification
  const all = Array.isArray(written) ? written : [written]
  const verify: string[] = []
  const told: string[] = []
  for (const one of all) {
    const text = isMapping(one) ? inWords(one, verify) : prose(one)
    if (text !== '') told.push(text)
  }
  return { verify, sections: [['Verification', told.join('\n\n')]] }
}

function inWords(value: Record<string, unknown>, verify: string[]): string {
  const { type: written, run, command, ...rest } = value
  const type = prose(written).toLowerCase()
  // Some programs write both names, one of them with nothing in it.
  const check = prose(run) === '' ? command : run
  const commands = NOT_RUN.has(type) ? [] : [check].flat().map(prose).filter(Boolean).map(runnableCommand)
  verify.push(...commands)
  if (type === 'none') return ''
  const said = commands.length > 0 ? '' : prose(check)
  const lines = [said, prose(asWritten(rest))].filter(Boolean)
  // A command alone needs no words: whether it passes is seen.
  if (lines.length === 0) return commands.length > 0 || type === '' ? '' : type
  return [type === '' || type === 'command' ? '' : `By ${type}:`, ...lines].filter(Boolean).join('\n')
}

/** What is sent or expected, such as the body of a request, has to be known as it is. */
function asWritten(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isMapping(value) ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(entries)
}
