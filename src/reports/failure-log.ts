// The end of a failed task's log, to stand below its failure.
import { type Failure, messageParts } from '../failure.ts'
import { tail } from './escape.ts'

/** Empty where the message ends with the same: of a `run:` command that failed it has the last lines itself. */
export function failureLog(failure: Failure | null, log: string | undefined, lines: number, chars: number): string {
  const { text } = tail(log ?? '', lines, chars)
  return text !== '' && lastLine(messageParts(failure?.message ?? '').output) === lastLine(text) ? '' : text
}

function lastLine(text: string): string {
  return tail(text, 1, LINE_CHARS).text.trim()
}

/** Enough to tell two lines apart. */
const LINE_CHARS = 500
