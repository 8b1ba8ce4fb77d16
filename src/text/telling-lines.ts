// The lines of a failed command's output that say what went wrong: the first failing test, else the first error. The last
// lines are often stack frames, or what npm and make say of any failure.

import type { Failure } from '../event.ts'
import { messageParts } from '../failure.ts'
import { cut } from './cut.ts'
import { safeLine } from './safe.ts'

/** `verify-failed: npm test exited with 1`, without what the command printed. */
export function because({ reason, message }: Failure): string {
  const said = safeLine(messageParts(message).said)
  if (!said) return reason
  return said.startsWith(reason) ? said : `${reason}: ${said}`
}

/** The same with the line of the output that says what went wrong. */
export function whyFailed(failure: Failure): string {
  const told = tellingLine(messageParts(failure.message).output)
  return told === null ? because(failure) : `${because(failure)}: ${told}`
}

/** Null where no line is known to say it. */
export function tellingLine(output: string): string | null {
  const lines = output.split('\n')
  const index = tellingIndex(lines)
  return index < 0 ? null : safeLine(lines[index] ?? '')
}

/** From the line that says it on; the last lines where none is known to. Empty lines are left out. */
export function tellingLines(output: string, atMost: number): string[] {
  const lines = output.split('\n').filter((line) => safeLine(line) !== '')
  const index = tellingIndex(lines)
  if (index < 0) return lines.slice(-atMost)
  const [first = '', ...rest] = lines.slice(index)
  const told = TAP.test(safeLine(first)) ? rest.filter((line) => !TAP_DETAIL.test(line.trim())) : rest
  return [first, ...told].slice(0, atMost)
}

const TAP = /^not ok \d/
/** Between the name of a test and its error. */
const TAP_DETAIL = /^(?:---|\.\.\.|(?:duration_ms|location|failureType|type|severity|at):.*|error: [|>]-?)$/

/** The end of a long output in so many characters, with the lines that say what went wrong where they are further up. */
export function tellingEnd(output: string, chars: number): string {
  const text = output.trimEnd()
  if (text.length <= chars) return text
  const lines = text.split('\n')
  const index = tellingIndex(lines)
  const endOf = (room: number) => {
    const end = text.slice(-room)
    return text[text.length - room - 1] === '\n' ? end : end.slice(end.indexOf('\n') + 1)
  }
  const end = endOf(chars)
  if (index < 0 || lines.length - end.split('\n').length <= index) return end
  const said = cut(lines.slice(index, index + SAID_LINES).join('\n'), Math.floor(chars / 2))
  return `${said}\n…\n${endOf(chars - said.length - 4)}`
}

const SAID_LINES = 8

function tellingIndex(lines: readonly string[]): number {
  const plain = lines.map((line) => safeLine(line))
  const test = plain.findIndex((line) => line.length < LONGEST && FAILED_TEST.some((one) => one.test(line)))
  if (test >= 0) return test
  return plain.findIndex((line) => line.length < LONGEST && ERROR.test(line) && !NOISE.test(line))
}

/** Longer ones are data. */
const LONGEST = 2_000

/** How test runners name a test that failed. */
const FAILED_TEST = [
  /^(?:✖|✗|✘|×) (?!failing tests)\S/, // node, vitest, mocha
  /^not ok \d+\b(?!.*# (?:TODO|SKIP))/, // TAP
  /^--- FAIL: \S/, // go
  /^test \S+ \.\.\. FAILED$/, // cargo
  /^FAILED \S+::\S/, // pytest, its summary
  /^_{3,} \S.* _{3,}$/, // pytest
  /^● \S.* › \S/, // jest
  /^FAIL: \S+ \(/, // unittest
  /^FAIL \S+ > \S/, // vitest
  /^rspec \S+:\d+ # /,
  /^\d+\) \S+(?:::| #| ").*$/, // phpunit, rspec, mocha
]

/** How programs say an error. */
const ERROR =
  /^(?:Uncaught )?(?:\w+\.)*[A-Z]\w*(?:Error|Exception)\b|(?:^|[\s:)\]])(?:fatal )?error(?:\[\w+\]| ?TS\d+)?:\s|^\d+:\d+ +error\b|^(?:fatal|panic|abort|error)\b:?\s|\bpanicked at\b|: (?:command )?not found$|: No such file or directory|: undefined: |^Exception in thread |^E {2,}\S/i

/** Lines that programs print whether or not something failed. */
const NOISE =
  /^(?:npm (?:error|ERR!|warn)|make(?:\[\d+\])?: \*\*\*|pnpm|yarn|ELIFECYCLE|error: script |error Command failed|at |File "|✔|✓|ok \d|PASS|# )/i
