// Results of commands: prints answers, and problems on stderr, one per line, and returns the exit status.
import { LIMITS } from '../config.ts'
import { formatProblem, type Problem, type Result } from '../problem.ts'
import { count } from '../text/figures.ts'
import { jsonOutput } from '../text/json.ts'
import { safeText } from '../text/safe.ts'
import { hanging } from '../text/width.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import type { Output, Surroundings } from './surroundings.ts'

/** Result of a command: an exit status, problems, or an answer. */
export type Done = ExitStatus | Result<ExitStatus> | Answer

/** Printed as JSON with --json, else as lines. `none`: printed on stderr if there are no lines. */
type Answer = { json: object; lines: readonly string[]; none?: string; status?: ExitStatus }

/** Prints the answer or the problems of a command. `json`: both as JSON, the problems as one line on stderr. */
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

/** `output`: a terminal gets wrapped lines, a program one line per problem. `title`: a line above, if not empty. */
export function problemLines(problems: Problem[], output?: Output, title = ''): string {
  const columns = output?.isTTY ? output.columns || 80 : Number.POSITIVE_INFINITY
  const wrapped = (text: string) => text.split('\n').flatMap((line) => hanging(line, columns - 1, 2))
  const shown = problems
    .slice(0, LIMITS.problems)
    .map((problem) => `${wrapped(safeText(formatProblem(problem))).join('\n')}\n`)
  const more = problems.length - shown.length
  return (title && `${title}\n`) + shown.join('') + (more > 0 ? `… and ${count(more, 'more problem')}\n` : '')
}
