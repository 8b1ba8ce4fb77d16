// How a subtask of an implementation plan is to be verified: shell commands are run, everything else is told.
import { isMapping } from '../../schema-check.ts'
import { prose, type Section } from '../common/prompt-text.ts'
import type { Item } from '../json/json-values.ts'
import type { NotRun } from './gate.ts'
import { meantCommand } from './shell-command.ts'

/** A person does these, or nobody: a command beside them is an explanation. */
const NOT_RUN = new Set(['manual', 'none'])

/** `notRun`: what stands there as a command and is told instead. */
export type SubtaskVerification = { verify: string[]; notRun: NotRun[]; sections: Section[] }

export function verificationOf({ value }: Item): SubtaskVerification {
  const written = value.verification
  const all = Array.isArray(written) ? written : [written]
  const found: Gates = { verify: [], notRun: [] }
  const told: string[] = []
  for (const one of all) {
    const text = isMapping(one) ? inWords(one, found) : prose(one)
    if (text !== '') told.push(text)
  }
  return { ...found, sections: [['Verification', told.join('\n\n')]] }
}

type Gates = Pick<SubtaskVerification, 'verify' | 'notRun'>

function inWords(value: Record<string, unknown>, found: Gates): string {
  const { type: written, run, command, ...rest } = value
  const type = prose(written).toLowerCase()
  // Some programs write both names, one of them with nothing in it.
  const check = prose(run) === '' ? command : run
  const commands = [check].flat().map(prose).filter(isSomething)
  const gates = NOT_RUN.has(type) ? [] : commands.map((one) => meantCommand(one, expectedIn(rest)))
  const verify = gates.flatMap((gate) => ('run' in gate ? [gate.run] : []))
  const notRun = gates.flatMap((gate) => ('run' in gate ? [] : [gate.notRun]))
  found.verify.push(...verify)
  found.notRun.push(...notRun)
  if (type === 'none') return ''
  const untried = gates.length === 0 ? commands : notRun.map((one) => one.command)
  const said = untried.length === 1 ? (untried[0] ?? '') : prose(untried)
  const lines = [said, prose(asWritten(rest))].filter(Boolean)
  // A command alone needs no words: whether it passes is seen.
  if (lines.length === 0) return verify.length > 0 || type === '' || type === 'command' ? '' : type
  return [type === '' || type === 'command' ? '' : `By ${type}:`, ...lines].filter(Boolean).join('\n')
}

/** `N/A` is how some say that there is none. */
function isSomething(text: string): boolean {
  return !/^(?:|-|n\/?a|none|null|not applicable)\.?$/i.test(text)
}

/** What is to come of it: `expected: no matches`, `exit code: 1`. What is in quotes is the text that is looked for. */
function expectedIn(fields: Record<string, unknown>): string {
  const said = Object.entries(fields).filter(([name]) => /^(?:expect|exit)/i.test(name))
  return said
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${prose(value)}`)
    .join('; ')
    .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '""')
}

/** What is sent or expected, such as the body of a request, has to be known as it is. */
function asWritten(fields: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    isMapping(value) ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(entries)
}
