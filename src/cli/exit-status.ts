// What a command's exit status says. The same list stands in every --help.
import type { Counts, RunStatus } from '../status.ts'

export const EXIT = { done: 0, failed: 1, badInput: 2, waiting: 3, interrupted: 130 } as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]

/** Of a run that came to rest, or was interrupted before. */
export function exitStatusOf(run: { status: RunStatus; interrupted: boolean; counts: Counts }): ExitStatus {
  if (run.interrupted) return EXIT.interrupted
  if (run.status === 'waiting') return EXIT.waiting
  const { landed, passed, total } = run.counts
  return run.status === 'completed' && landed + passed === total ? EXIT.done : EXIT.failed
}
