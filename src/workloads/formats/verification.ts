// How a subtask of an implementation plan is to be verified: shell commands are run, everything else is told.
import { isMapping } from '../schema-check.ts'
import type { Item, JsonReader } from './json-reader.ts'
import { prose, type Section } from './prompt-text.ts'

/** A person does these, or nobody: a command beside them is an explanation. */
const NOT_RUN = new Set(['manual', 'none'])

export function verificationOf(reader: JsonReader, { value, path }: Item): { verify: string[]; sections: Section[] } {
  const written = value.verification
  const all = Array.isArray(written) ? written : [written]
  const verify: string[] = []
  const told: string[] = []
  for (const one of all) {
    const text = isMapping(one) ? inWords(reader, { value: one, path }, verify) : prose(one)
    if (text !== '') told.push(text)
  }
  return { verify, sections: [['Verification', told.join('\n\n')]] }
}

function inWords(reader: JsonReader, item: Item, verify: string[]): string {
  const { type: written, run, command, ...rest } = item.value
  const type = prose(written).toLowerCase()
  // Some programs write both names, one of them with nothing in it.
  const check = prose(run) === '' ? command : run
  const commands = NOT_RUN.has(type) ? [] : [check].flat().map(prose).filter(Boolean)
  verify.push(...commands)
  if (type === 'none') return ''
  const said = commands.length > 0 ? '' : prose(check)
  const lines = [said, reader.prose({ value: { rest }, path: item.path }, 'rest')].filter(Boolean)
  // A command alone needs no words: whether it passes is seen.
  if (lines.length === 0) return commands.length > 0 || type === '' ? '' : type
  return [type === '' || type === 'command' ? '' : `By ${type}:`, ...lines].filter(Boolean).join('\n')
}
