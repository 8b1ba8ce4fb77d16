// How long engines worked on a run, without the time before `espalier resume` or `espalier retry` continued it.
import type { RunSummary } from '../view.ts'

/** `now`: for an unfinished run. Never negative: a clock may have been set back. */
export function atWorkMs(
  { startedAt, finishedAt, idleMs = 0 }: Pick<RunSummary, 'startedAt' | 'finishedAt' | 'idleMs'>,
  now: number,
): number {
  return Math.max(0, (finishedAt ?? now) - startedAt - idleMs)
}
