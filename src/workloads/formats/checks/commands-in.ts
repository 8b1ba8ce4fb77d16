// The checks in the verification text of a plan. A command has to stand as such: in a field, a shell block, or alone in its item.
// It is run if it is known to be harmless or the settings accept it; otherwise it goes into the prompt.
import { isBlank, type MarkdownLine } from '../markdown/lines.ts'
import { refusalsOf, WORDS } from './harmless-commands.ts'

/** `checks` of the settings: further commands of such plans that are run as checks. */
export type AcceptedChecks = readonly string[] | 'all'

export type FoundChecks = {
  verify: string[]
  /** The numbers of lines with more than a command. */
  words: number[]
  notRun: (NotRun & { line: number })[]
}

/** `why` continues a sentence about "it"; `accept`: the entries for `checks` that would allow it; empty: nothing can. */
export type NotRun = { command: string; why: string; accept: readonly string[] }

type RunOrTold = { run: string } | { notRun: NotRun }

export const NO_VERIFICATION: FoundChecks = { verify: [], words: [], notRun: [] }

/** The check for a command in a field. `expected`: the result that the file expects. */
export function checkOf(written: string, accepted: AcceptedChecks, expected = ''): RunOrTold {
  const command = withoutOwnFolder(written.trim())
  const told = (why: string, accept: readonly string[] = []): RunOrTold => ({ notRun: { command, why, accept } })
  if (!looksLikeCommand(command)) return told(WORDS)
  // `set -e` makes a block fail with the first line that fails, like a list of commands.
  if (matches(command, accepted)) return { run: command.includes('\n') ? `set -e\n${command}` : command }
  if (EXPECTED_FAILURE.test(expected)) return told('is expected to fail', [command])
  const isAccepted = (part: string) => matches(part, accepted)
  const refused = refusalsOf(withoutComments(command), { isAccepted, isDescribed: expected !== '' })
  if (refused === null) return told('is no plain list of commands', [command])
  const [first] = refused
  if (!first) return { run: withoutComments(command).replace(/\s*\n\s*/g, ' && ') }
  return first.why === WORDS ? told(WORDS) : told(first.why, [...new Set(refused.map(({ part }) => part))])
}

function withoutComments(command: string): string {
  return command.replace(/^\s*#.*$/gm, '').trim()
}

const EXPECTED_FAILURE = /\bfail(?:s|ure)?\b(?! *: *0)|\bnon-?zero\b|\bexit(?:s|[ _]?code|[ _]?status)*\W{0,3}[1-9]/i

export function commandsIn(lines: readonly MarkdownLine[], accepted: AcceptedChecks): FoundChecks {
  const found: FoundChecks[] = []
  for (let position = 0; position < lines.length; position++) {
    const line = lines[position] as MarkdownLine
    const within = (end: number): Within => ({ accepted, expected: expectedBelow(lines, end) })
    const fence = line.isQuoted ? /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line.text) : null
    if (fence) {
      const end = endOfBlock(lines, position, fence[1] ?? '')
      found.push(checksOfBlock(fence[2] ?? '', lines.slice(position, end), within(end)))
      position = end
    } else if (!line.isQuoted && !isBlank(line) && !line.heading)
      found.push(checksOfItem(line.text, line.number, within(position)))
  }
  return joined(found)
}

type Within = { accepted: AcceptedChecks; expected: string }

/** The expected result in the line below a command: `Expected: FAIL`, `**Expected output:** 3 lines`. */
function expectedBelow(lines: readonly MarkdownLine[], position: number): string {
  const next = lines.slice(position + 1, position + 3).find((line) => !isBlank(line))
  return next && !next.isQuoted && /^\W*expect/i.test(next.text) ? next.text : ''
}

export function checksOfItem(item: string, line: number, { accepted, expected }: Within): FoundChecks {
  const text = item.replace(/^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?/, '').trim()
  const code = /^(`+)(?!`)(.+?)(?<!`)\1\.?$/.exec(text)?.[2] ?? /^\$ (.+)$/.exec(text)?.[1]
  const command = (code ?? text).trim()
  // A single word in code may name anything but a script, and a line without code may be a sentence.
  const isMeant = code !== undefined && /\s|^\.{0,2}\/|\.sh$/.test(command)
  const check = checkOf(command, !isMeant && accepted === 'all' ? [] : accepted, expected)
  if ('run' in check) return { ...NO_VERIFICATION, verify: [check.run] }
  if (!isMeant || check.notRun.accept.length === 0) return wordsIn(text, line)
  return { ...NO_VERIFICATION, notRun: [{ ...check.notRun, line }] }
}

export function joined(parts: readonly FoundChecks[]): FoundChecks {
  return {
    verify: [...new Set(parts.flatMap(({ verify }) => verify))],
    words: parts.flatMap(({ words }) => words),
    notRun: parts.flatMap(({ notRun }) => notRun),
  }
}

export function notRunText({ command, why, accept }: NotRun): string {
  const [first = '', ...more] = command.split('\n')
  const shown = first.length > MAX_SHOWN ? `${first.slice(0, MAX_SHOWN)}…` : more.length > 0 ? `${first} …` : first
  const said = `\`${shown}\` is told to the agent, not run as a check: it ${why}`
  if (accept.length === 0) return said
  return `${said}; \`checks: ${JSON.stringify(accept)}\` in .espalier/config.yaml runs it`
}

const MAX_SHOWN = 100

/** The line as words, unless it only introduces the next lines, says that there is nothing to verify, or is a rule. */
function wordsIn(text: string, line: number): FoundChecks {
  const isNothing = /:(?:\*\*)?$|^(?:[-*+] )?(?:none|n\/a)\.?$|^(?:-{3,}|\*{3,}|_{3,})$/i.test(text.trim())
  return isNothing ? NO_VERIFICATION : { ...NO_VERIFICATION, words: [line] }
}

/** The line of the closing fence. A fence with a language in between opens a nested block. */
function endOfBlock(lines: readonly MarkdownLine[], start: number, fence: string): number {
  let depth = 0
  for (let position = start + 1; position < lines.length; position++) {
    const text = lines[position]?.text.trim() ?? ''
    if (!lines[position]?.isQuoted) return position - 1
    if (text.startsWith(fence)) depth += /[^`~]/.test(text) ? 1 : -1
    if (depth < 0) return position
  }
  return lines.length
}

/** Runs all lines of a block or none; a block without a language only if all of them are known. */
function checksOfBlock(language: string, block: readonly MarkdownLine[], { accepted, expected }: Within): FoundChecks {
  const [{ number = 0 } = {}, ...inside] = block
  const lines = inside.map(({ text }) => text)
  const isCode = lines.some((text) => !/^\s*(?:#|$)/.test(text))
  if (!isCode || (language !== '' && !SHELLS.has(language.toLowerCase()))) return NO_VERIFICATION
  const command = lines.join('\n').trim()
  const check = checkOf(command, language === '' && accepted === 'all' ? [] : accepted, expected)
  if ('run' in check) return { ...NO_VERIFICATION, verify: [check.run] }
  return language === '' ? NO_VERIFICATION : { ...NO_VERIFICATION, notRun: [{ ...check.notRun, line: number }] }
}

const SHELLS = new Set(['bash', 'sh', 'shell', 'zsh', 'console', 'terminal', 'shellsession', 'shell-session'])

/** Removes a leading `cd` into the author's own checkout: checks run at the top of the worktree. */
function withoutOwnFolder(command: string): string {
  const match = /^cd\s+(?:"([^"$`]*)"|'([^']*)'|([^\s"'$`;&|]+))\s*(?:&&|;|\n)\s*/.exec(command)
  const folder = match?.[1] ?? match?.[2] ?? match?.[3] ?? ''
  return match && /^(?:[/~]|[A-Za-z]:[\\/])/.test(folder) ? command.slice(match[0].length) : command
}

/** False for a sentence, which begins with a capital letter or an instruction to a person. */
function looksLikeCommand(text: string): boolean {
  if (!/^[a-z0-9_./~@$"'([!#:]|^[A-Z_][A-Z0-9_]*=/.test(text)) return false
  return !/^(?:manual|manually|visual|visually|check|verify|ensure|confirm|review|inspect|see|look|run|none|n\/a|tbd|todo)\b(?!\/|\.\w)/i.test(
    text,
  )
}

/** `*` in a pattern stands for anything but the start of another command, so that `npm run e2e*` accepts no more than that. */
function matches(command: string, accepted: AcceptedChecks): boolean {
  if (accepted === 'all') return true
  return accepted.some((pattern) => {
    const parts = pattern
      .trim()
      .split('*')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^;&|<>$()`\\n]*')}$`).test(command)
  })
}
