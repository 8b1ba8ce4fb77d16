// What a command's exit status says. The same list stands in every --help.
import type { RunStatus } from '../status.ts'

export const EXIT = { done: 0, failed: 1, badInput: 2, waiting: 3, interrupted: 130 } as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]

/** Of a run that came to rest, or was interrupted before. */
export function exitStatusOf(run: { status: RunStatus; interrupted: boolean }): ExitStatus {
  if (run.interrupted) return EXIT.interrupted
  if (run.status === 'waiting') return EXIT.waiting
  // Also with tasks that are not to be done any more: a script that tries again and then lands has what it wants.
  return run.status === 'completed' ? EXIT.done : EXIT.failed
}
