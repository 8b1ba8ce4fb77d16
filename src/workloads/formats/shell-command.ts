// Whether a line of somebody's checklist is a command, and which. Plans mix the two: "npm test", "`npm test` passes",
// "the login page still works". A command that is missed costs little, because the agent reads the line as well; words
// that are run as a command fail a task that is right. So in doubt it is not one.
import { type Commands, codedCommands } from './coded-commands.ts'
import { hasProse, isCommand } from './command-line.ts'
import { saysItFails, withoutRemark, wouldBeRefused } from './trailing-remark.ts'

export function commandsOfItem(item: string): Commands {
  const text = withoutMarks(item)
  if (text === '' || text.length > MAX_CHARS || saysItFails(text.slice(withoutRemark(text).length))) return WORDS
  const typed = typedCommand(text)
  if (typed !== undefined) return only(typed)
  const plain = withoutExpectation(text.replace(/^(?:run|execute|command)\s*:\s+/i, ''))
  if (isCommand(plain) && !plain.includes('`')) return only(plain)
  return codedCommands(text) ?? WORDS
}

/** The lines of a block of code; of a recorded terminal only what was typed. Null where nothing is to be run. */
export function commandOfBlock(language: string, lines: readonly string[]): string | null {
  const typed = lines.filter((line) => /^\s*\$\s/.test(line)).map((line) => line.replace(/^\s*\$\s+/, ''))
  const said = typed.length > 0 ? typed : lines
  const isShell = SHELLS.has(language.toLowerCase()) || (language === '' && said.every(isCommandOrNothing))
  const command = said.join('\n').trim()
  const isEmpty = said.every((line) => line.trim() === '' || line.trim().startsWith('#'))
  if (!isShell || isEmpty || command.length > MAX_CHARS) return null
  // A block fails with the first of its lines that fails, as a list of commands would.
  return said.length === 1 ? command : `set -e\n${command}`
}

/** What nobody named the language of is shell code only if all of it is. */
function isCommandOrNothing(line: string): boolean {
  const text = line.trim()
  return text === '' || text.startsWith('#') || isCommand(text)
}

const WORDS: Commands = { verify: [], hasWords: true }

function only(command: string | null): Commands {
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
  return isOne && !hasProse(command) && !wouldBeRefused(command) ? command : null
}

function withoutExpectation(line: string): string {
  const text = withoutRemark(line)
  const match =
    /\s(?:should |must |still )?(?:pass(?:es)?|succeeds?|exits? (?:with )?(?:code |status )?0|completes? successfully|is green|works|runs without errors?|without errors?|with no (?:errors?|warnings?))(?:[.\s].*)?$/i.exec(
      text,
    )
  return match ? text.slice(0, match.index).trim() : text.replace(/(?<=\w)[.;]$/, '')
}
