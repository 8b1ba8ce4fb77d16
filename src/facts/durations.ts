// How long a run and its attempts took.
import type { AttemptView, RunSummary } from '../view.ts'

/** How long engines worked on it, without the time before `espalier resume` or `espalier retry` continued it. Never negative: a clock may have been set back. */
export function atWorkMs(
  { startedAt, finishedAt, idleMs = 0 }: Pick<RunSummary, 'startedAt' | 'finishedAt' | 'idleMs'>,
  now: number,
): number {
  return Math.max(0, (finishedAt ?? now) - startedAt - idleMs)
}

type Spell = Pick<AttemptView, 'startedAt' | 'finishedAt'>

/** Duration of an attempt; of one that still runs, up to now. */
export function attemptMs({ startedAt, finishedAt }: Spell, now: number): number {
  return Math.max(0, (finishedAt ?? now) - startedAt)
}

/** Attempts added up, without the time between them. */
export function workedMs(attempts: readonly Spell[], now: number): number {
  return attempts.reduce((total, attempt) => total + attemptMs(attempt, now), 0)
}
