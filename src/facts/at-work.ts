// How long engines were at work on a run. The time in which it lay there, before `espalier resume` or `espalier retry`
// went on with it, is nobody's work.
import type { RunSummary } from '../status.ts'

/** `now`: for a run that is not over. Never less than nothing: a clock may have been set back. */
export function atWorkMs(
  { startedAt, finishedAt, idleMs = 0 }: Pick<RunSummary, 'startedAt' | 'finishedAt' | 'idleMs'>,
  now: number,
): number {
  return Math.max(0, (finishedAt ?? now) - startedAt - idleMs)
}
