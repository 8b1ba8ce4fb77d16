// How a subtask of an implementation plan is to be verified: shell commands are run, everything else is told.
import { isMapping } from '../../document/schema-check.ts'
import { type AcceptedChecks, checkOf, commandsIn, type NotRun } from '../checks/commands-in.ts'
import type { Item } from '../json/values.ts'
import { readMarkdown } from '../markdown/parse-lines.ts'
import { type PromptSection, prose } from '../task-prompt/compose-prompt.ts'

/** A person does these, or nobody: a command beside them is an explanation. */
const NOT_RUN = new Set(['manual', 'none'])

/** `notRun`: what stands there as a command and is told instead. */
type SubtaskVerification = { verify: string[]; notRun: NotRun[]; sections: PromptSection[] }

export function verificationOf({ value }: Item, accepted: AcceptedChecks): SubtaskVerification {
  const written = value.verification
  const all = Array.isArray(written) ? written : [written]
  const found: Checks = { accepted, verify: [], notRun: [] }
  const told: string[] = []
  for (const one of all) {
    const text = isMapping(one) ? inWords(one, found) : wordsBeside(prose(one), found)
    if (text !== '') told.push(text)
  }
  const { verify, notRun } = found
  return { verify, notRun, sections: [['Verification', told.join('\n\n')]] }
}

type Checks = Pick<SubtaskVerification, 'verify' | 'notRun'> & { accepted: AcceptedChecks }

/** A text may be a command, or a sentence with one in it. Told as a whole where it says more than what is run. */
function wordsBeside(text: string, found: Checks): string {
  const { verify, notRun, words } = commandsIn(readMarkdown(text).lines, found.accepted)
  found.verify.push(...verify)
  found.notRun.push(...notRun)
  return verify.length > 0 && notRun.length === 0 && words.length === 0 ? '' : text
}

function inWords(value: Record<string, unknown>, found: Checks): string {
  const { type: written, run, command, cmd, commands: several, ...rest } = value
  const type = prose(written).toLowerCase()
  // Some programs write two of the names, one of them with nothing in it, or the same in both.
  const all = [...[run, command, cmd].flatMap(commandsOf), ...[several].flat().map(prose)]
  const commands = [...new Set(all)].filter(isSomething)
  const checks = NOT_RUN.has(type) ? [] : commands.map((one) => checkOf(one, found.accepted, expectedIn(rest)))
  const verify = checks.flatMap((check) => ('run' in check ? [check.run] : []))
  const notRun = checks.flatMap((check) => ('run' in check ? [] : [check.notRun]))
  found.verify.push(...verify)
  found.notRun.push(...notRun)
  if (type === 'none') return ''
  const untried = checks.length === 0 ? commands : notRun.map((one) => one.command)
  const said = untried.length === 1 ? (untried[0] ?? '') : prose(untried)
  const lines = [said, prose(asWritten(rest))].filter(Boolean)
  // A command alone needs no words: whether it passes is seen.
  if (lines.length === 0) return verify.length > 0 || type === '' || type === 'command' ? '' : type
  return [type === '' || type === 'command' ? '' : `By ${type}:`, ...lines].filter(Boolean).join('\n')
}

/** Of a field for one command: a list in it may be that command in its words, as a program takes them. */
function commandsOf(value: unknown): string[] {
  const list = [value].flat().map(prose)
  return isInWords(list) ? [list.map(quoted).join(' ')] : list
}

/** `["npm", "test"]` and `["sh", "-c", "npm test"]`, but not `["npm test", "npm run lint"]` or `["tsc", "pytest"]`. */
function isInWords([program = '', ...rest]: readonly string[]): boolean {
  if (rest.length === 0 || /\s/.test(program)) return false
  if (rest.some((word) => word.startsWith('-'))) return true
  return !rest.some((word) => /\s/.test(word)) && ![program, ...rest].every((one) => 'run' in checkOf(one, []))
}

/** What joins commands is meant as that: a program would get it as a word. */
function quoted(word: string): string {
  return /^(?:[\w@%+=:,./-]+|&&|\|\|?|;)$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

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
