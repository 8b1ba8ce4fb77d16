// The exit statuses of commands. The same list is in every --help.
import type { RunStatus } from '../status.ts'

export const EXIT = { done: 0, failed: 1, badInput: 2, waiting: 3, interrupted: 130 } as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]

export function exitStatusOf(run: { status: RunStatus; interrupted: boolean }): ExitStatus {
  if (run.interrupted) return EXIT.interrupted
  if (run.status === 'waiting') return EXIT.waiting
  // Dropped tasks do not count as failures, so a script can retry and then land.
  return run.status === 'completed' ? EXIT.done : EXIT.failed
}
