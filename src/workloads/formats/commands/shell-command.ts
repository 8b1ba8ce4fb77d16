// Whether a line of somebody's checklist is a command, and which. Plans mix the two: "npm test", "`npm test` passes",
// "the login page still works". Words that are run as a command fail a task that is right, and a command that is taken for words
// is a check that is lost: so what a known program begins is one, unless there are words in it that no command line has.
import { type CodedCommands, codedCommands, withoutLabel } from './coded-commands.ts'
import { hasProse, isCommand, isSentence } from './command-line.ts'
import { firstSentence, saysMaybe, wantsNoSuccess } from './expected-outcome.ts'
import { type Gate, gateOf, type NotRun, whyNoGate } from './gate.ts'
import { isNoCommandLine, runnableCommand, withoutExpectation, withoutRemark } from './trailing-remark.ts'

export type Commands = CodedCommands & {
  /** Commands that are no gates. */
  notRun: NotRun[]
}

export function commandsOfItem(item: string): Commands {
  const { verify, hasWords } = commandsSaid(withoutMarks(item))
  const gates = verify.map(gateOf)
  return {
    verify: gates.flatMap((gate) => ('run' in gate ? [gate.run] : [])),
    hasWords,
    notRun: gates.flatMap((gate) => ('run' in gate ? [] : [gate.notRun])),
  }
}

/** What stands in a field for a command; `expected`: what the file says will come of it. */
export function meantCommand(written: string, expected = ''): Gate {
  const text = written.trim()
  const told = (why: string): Gate => ({ notRun: { command: text, why } })
  // A script of several lines is taken as it is.
  if (text.includes('\n') || text.length > MAX_CHARS)
    return otherwise(text.split('\n')) === null ? gateOf(text) : told(NO_SUCCESS)
  const bare = withoutExpectation(text)
  const isBareOne = bare !== text && isCommand(bare)
  const command = isSentence(text) && isBareOne ? bare : runnableCommand(text)
  const remark = text.slice(bare.length)
  if (wantsNoSuccess(bare, `${remark} ${expected}`)) return told(NO_SUCCESS)
  if (isSentence(command)) return told('is words, not a command')
  if (isNoCommandLine(command)) return told('is nothing that a shell would take as it is meant')
  return saysMaybe(remark) ? told('is left to whoever reads it') : gateOf(command)
}

/** The lines of a block of code; of a recorded terminal only what was typed. Null where there is no command in it. */
export function commandOfBlock(language: string, lines: readonly string[]): Gate | null {
  const typed = lines.filter((line) => /^\s*\$\s/.test(line)).map((line) => line.replace(/^\s*\$\s+/, ''))
  const said = typed.length > 0 ? typed : lines
  const isShell = SHELLS.has(language.toLowerCase()) || (language === '' && said.every(isCommandOrNothing))
  const command = said.join('\n').trim()
  const isEmpty = said.every((line) => line.trim() === '' || line.trim().startsWith('#'))
  if (!isShell || isEmpty || command.length > MAX_CHARS) return null
  const other = otherwise(said)
  if (said.length === 1) return other === null ? gateOf(command) : { notRun: { command: other, why: NO_SUCCESS } }
  const toldAsAWhole = (one: string, why: string): Gate => ({
    notRun: { command: one, why: `${why}, so its block is not run` },
  })
  if (other !== null) return toldAsAWhole(other, NO_SUCCESS)
  // A block fails with the first of its lines that fails, as a list of commands would.
  const gate = gateOf(`set -e\n${command}`)
  return 'run' in gate ? gate : toldAsAWhole(culprit(said, gate.notRun.why), gate.notRun.why)
}

/** The line because of which the block is no gate. */
function culprit(lines: readonly string[], why: string): string {
  return (lines.find((line) => whyNoGate(line) === why) ?? lines.join('\n')).trim()
}

const NO_SUCCESS = 'is to fail or to find nothing, which its exit status does not tell'

/** The line that is not to succeed: `grep -r foo src # should be empty`; a comment below or above it may say so, too. */
function otherwise(lines: readonly string[]): string | null {
  let above = ''
  // What was said before the commands that stand together: "# These should NOT appear:".
  let title = ''
  for (const line of lines) {
    const text = line.trim()
    if (text === '' && above !== '') title = ''
    if (text.startsWith('#')) title = text
    else if (text !== '' && DENIES.test(title) && wantsNoSuccess(text, title)) return text
    const comment = /^#\s*((?:expect|should|must|output|result|→|=>).*)$/i.exec(text)?.[1]
    const command = withoutRemark(text)
    const remark = text.slice(command.length).trim()
    if (comment !== undefined && wantsNoSuccess(above, comment)) return above || text
    if (remark.startsWith('#') && wantsNoSuccess(command, remark)) return command
    if (text !== '' && !text.startsWith('#')) above = text
  }
  return null
}

/** A title only names what is looked at ("# empty files"), unless it says what is to come of it. */
const DENIES = /\b(?:should|must|shall|expect\w*|no|not|never|nothing|none|zero)\b/i

/** Without asking whether they can be gates. */
function commandsSaid(text: string): CodedCommands {
  const bare = withoutRemark(text)
  const remark = firstSentence(text.slice(bare.length))
  if (text === '' || text.length > MAX_CHARS || wantsNoSuccess(bare, remark) || saysMaybe(remark)) return WORDS
  const typed = typedCommand(text)
  if (typed !== undefined) return only(typed)
  const plain = withoutExpectation(withoutOrder(withoutLabel(text)))
  if (!plain.includes('`')) {
    if (isCommand(plain)) return only(plain)
    const several = plain.split(/,\s+(?:(?:and|then)\s+)?|(?<=\S)\s+(?:and|then)\s+/).map(withoutExpectation)
    if (several.length > 1 && several.every(isCommand)) return { verify: several, hasWords: false }
  }
  return codedCommands(text) ?? WORDS
}

/** "Run npm run lint"; as it is where more is said than that: "Run npm test to see what is left", "Run npm run e2e in staging". */
function withoutOrder(text: string): string {
  const ordered = /^(?:run|execute)\s+(.+)$/is.exec(text)?.[1]
  return ordered === undefined || saysMaybe(ordered) || GOES_ON.test(ordered) ? text : ordered
}

const GOES_ON =
  /\s(?:to|for|in|on|at|after|before|once|twice|again|using|via|against|until|while|as|locally)(?:\s|[.,;]?$)/i

/** What nobody named the language of is shell code only if all of it is. */
function isCommandOrNothing(line: string): boolean {
  const text = line.trim()
  return text === '' || text.startsWith('#') || isCommand(text)
}

const WORDS: CodedCommands = { verify: [], hasWords: true }

function only(command: string | null): CodedCommands {
  return command === null ? WORDS : { verify: [command], hasWords: false }
}

const MAX_CHARS = 4_000

const SHELLS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'shellsession', 'shell-session'])

/** Bullets, numbers and boxes in front. */
function withoutMarks(item: string): string {
  return item
    .trim()
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/^\d{1,3}[.)]\s+/, '')
    .trim()
}

/** `$ make check`: as in a terminal, so any program will do. undefined: there is no `$` in front. */
function typedCommand(text: string): string | null | undefined {
  const typed = /^(`?)\$\s+(.+)\1$/.exec(text)?.[2]
  if (typed === undefined) return undefined
  const command = withoutExpectation(typed)
  const isOne = /^(?:[A-Za-z_]\w*=\S* )*[A-Za-z_./~][\w./~+-]*(?: |$)/.test(command)
  return isOne && !hasProse(command) && !isNoCommandLine(command) ? command : null
}
