// How a command refuses: every problem on a line of its own, on stderr, and the exit status for it.
import { LIMITS } from '../config.ts'
import { formatProblem, type Problem, type Result } from '../problem.ts'
import { count } from '../text/figures.ts'
import { jsonOutput } from '../text/json.ts'
import { safeText } from '../text/safe.ts'
import { hanging } from '../text/width.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import type { Output, Surroundings } from './surroundings.ts'

/** What a command gives back: its exit status, why it was refused, or what it found. */
export type Done = ExitStatus | Result<ExitStatus> | Answer

/** Printed as JSON with --json, else as lines. `none`: goes to stderr where there are no lines. */
type Answer = { json: object; lines: readonly string[]; none?: string; status?: ExitStatus }

/** Prints what the command has not printed itself. `json`: also problems, as one line of JSON on stderr. */
export function statusOf(
  done: Done,
  { out, err }: Pick<Surroundings, 'out' | 'err'>,
  { json }: { json?: boolean } = {},
): ExitStatus {
  if (typeof done === 'number') return done
  if ('json' in done) {
    if (json) out.write(`${jsonOutput(done.json)}\n`)
    else if (done.lines.length > 0) out.write(`${done.lines.join('\n')}\n`)
    else if (done.none !== undefined) err.write(`${done.none}\n`)
    return done.status ?? EXIT.done
  }
  if (done.ok) return done.value
  if (!json) return refuseWith(done.problems, { err })
  err.write(`${jsonOutput({ problems: done.problems })}\n`)
  return EXIT.badInput
}

export function refuseWith(
  problems: Problem[],
  { err }: Pick<Surroundings, 'err'>,
  status: ExitStatus = EXIT.badInput,
): ExitStatus {
  err.write(problemLines(problems, err))
  return status
}

/** `output`: on a terminal they are wrapped between words; programs get a line for each. `title`: a line above, if not empty. */
export function problemLines(problems: Problem[], output?: Output, title = ''): string {
  const columns = output?.isTTY ? output.columns || 80 : Number.POSITIVE_INFINITY
  const wrapped = (text: string) => text.split('\n').flatMap((line) => hanging(line, columns - 1, 2))
  const shown = problems
    .slice(0, LIMITS.problems)
    .map((problem) => `${wrapped(safeText(formatProblem(problem))).join('\n')}\n`)
  const more = problems.length - shown.length
  return (title && `${title}\n`) + shown.join('') + (more > 0 ? `… and ${count(more, 'more problem')}\n` : '')
}
