// How a command refuses: every problem on a line of its own, on stderr, and the exit status for it.
import { LIMITS } from '../config.ts'
import { formatProblem, type Problem } from '../problem.ts'
import { safeText } from '../text/safe.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { count } from './live/event-line.ts'
import type { Surroundings } from './surroundings.ts'

export function refuseWith(problems: Problem[], { err }: Surroundings, status: ExitStatus = EXIT.badInput): ExitStatus {
  err.write(problemLines(problems))
  return status
}

export function problemLines(problems: Problem[]): string {
  const shown = problems.slice(0, LIMITS.problems).map((problem) => `${safeText(formatProblem(problem))}\n`)
  const more = problems.length - shown.length
  return shown.join('') + (more > 0 ? `… and ${count(more, 'more problem')}\n` : '')
}
