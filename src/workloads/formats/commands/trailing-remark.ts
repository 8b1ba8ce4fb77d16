// What people note behind a command: `npm test (all pass)`, `npm run build => no errors`, `npm test; expected: PASS`. A shell
// would take it for a part of the command, which then fails whatever the work is like.
import { isNameFlag } from './name-flags.ts'

/** For a line that may be a command. */
export function withoutRemark(line: string): string {
  let command = line.trim()
  for (let i = 0; i < MAX_REMARKS; i++) {
    const start = startOfRemark(command)
    if (start === null) break
    command = command.slice(0, start).trimEnd()
  }
  return command
}

/** For what is meant as a command: it stays as it is, unless no shell would take it and one without the remark would be taken. */
export function runnableCommand(command: string): string {
  if (command.length > MAX_CHARS || command.includes('\n') || !wouldBeRefused(command)) return command
  const bare = withoutRemark(command)
  return bare === '' || wouldBeRefused(bare) ? command : bare
}

/** A line without what it says will come of it: `npm test passes`. */
export function withoutExpectation(line: string): string {
  const text = withoutRemark(line)
  const match =
    /\s(?:should |must |still )?(?:pass(?:es)?|succeeds?|exits? (?:with )?(?:code |status )?0|completes? successfully|is green|works|runs without errors?|without errors?|with no (?:errors?|warnings?))(?:[.\s].*)?$/i.exec(
      text,
    )
  const bare = match ? text.slice(0, match.index).trim() : text
  return bare === text || isNameFlag(bare.split(/\s/).at(-1)) ? text.replace(/(?<=\w)[.;]$/, '') : bare
}

/** A shell would not take it, or do something else than what is meant. */
export function isNoCommandLine(command: string): boolean {
  return wouldBeRefused(command) || wouldBeMisread(command)
}

/** By what is seen without being a shell: quotes and brackets without an end, brackets behind a word, `<name>` at the end. */
function wouldBeRefused(command: string): boolean {
  const bare = withoutQuoted(command)
  if (/["']/.test(bare)) return true
  // In `$(…)` and `` `…` `` is a command of its own, and `f() {…}` is a function.
  const outer = bare.replace(/\$\([^()]*\)/g, '""').replace(/\w\(\)\s*\{/g, '{')
  if (/[^\s;&|(!{`]\s+\(/.test(outer.replace(/\b(?:do|then|else|if|while|until|in|time)\s+\(/g, '('))) return true
  return count(outer, '(') !== count(outer, ')') || /<[^<>\s&]+>\s*(?:$|[;&|])/.test(outer)
}

/** A number where a program or a file belongs (`npm test | 12 passed`, `> 80%`), `== 0`, a list with commas, and a place to fill in (`path/<name>.ts`). */
function wouldBeMisread(command: string): boolean {
  const bare = withoutQuoted(command)
  if (/\|\s*\d+(?:\s|$)|(?<!\d)[<>]=?\s*\d+(?:\.\d+)?%?(?:\s|$)|<[A-Za-z][\w.-]*>|\w,\s+[A-Za-z]/.test(bare))
    return true
  return /\s(?:[=!]=|>=|<=|≥|≤)\s/.test(bare) && !/(?:^|[\s;&|(!])(?:\[\[?|test)\s/.test(bare)
}

/** One behind the other: `npm test (unit) => PASS`. */
const MAX_REMARKS = 3

/** Longer than any line somebody types. */
const MAX_CHARS = 4_000

/** Where the first remark begins that nobody means as a part of the command. */
function startOfRemark(command: string): number | null {
  if (command.length > MAX_CHARS) return null
  const bare = withoutQuoted(command)
  const starts = REMARKS.flatMap((remark) => {
    const match = remark.exec(bare)
    return match && match.index > 0 ? [match.index] : []
  })
  return starts.length === 0 ? null : Math.min(...starts)
}

/** Each begins where the command ends. Brackets behind `&&`, `|` and the like are a part of the command. */
const REMARKS = [
  /(?<=[^\s;&|(!{])\s+\([^()]*\)[.;]?$/,
  /(?<=[^\s;&|(!{])\s+\[[^\s[\]][^[\]]{0,200}\s[^[\]]{0,200}\][.;]?$/,
  /(?<=\S)\s+(?:=>|→|⇒|➜|->|—|–)(?:\s.*)?$/,
  /(?<=\s)\[(?:pass(?:es|ed|ing)?|ok|green)\]$/i,
  /(?<=\S)\s?[;,:.]\s+expect(?:ed|s|ing)?\b.*$/i,
  // Without a mark before it, it may be a name: `diff actual expected`.
  /(?<=\S)\s+expect(?:ed|s|ing)?(?::| to | output\b| result\b).*$/i,
  /(?<=\S)(?:[;,:]|\s-)\s+(?:all |tests? |should |must |it )*(?:pass(?:es|ing)?|green|succeeds?|(?:none |nothing )?fail(?:s|ing)?|no (?:errors?|warnings?|failures?))\b.*$/i,
  /(?<=\S)\s+--?\s+(?:should|must|expect\w*|all|no|zero|returns?|prints?|shows?|verif\w+)\s.*$/i,
  /(?<=\S)\s+#\s.*$/,
]

/** The same length, with `_` for what is in quotes. */
function withoutQuoted(command: string): string {
  return command.replace(/\\.|"(?:[^"\\]|\\.)*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length))
}

function count(text: string, char: string): number {
  return text.split(char).length - 1
}
