// Which runs that are over have had their time. Pure: what is removed, and whether that is safe, is in remove-run.ts.
import type { History } from '../../config.ts'
import type { RunSummary } from '../../status.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Of `runs`, newest first, those that are over and either too many or too old, counted from their end: one that was
 * resumed has just been looked at. Never the newest of all: it is the one that `status`, `report` and `land` are about.
 */
export function outdated(runs: readonly RunSummary[], { runs: most, days }: History, now: number): RunSummary[] {
  const since = days === null ? Number.NEGATIVE_INFINITY : now - days * DAY_MS
  return runs
    .filter((run) => !run.resumable)
    .sort((a, b) => endOf(b) - endOf(a))
    .filter((run, place) => run !== runs[0] && (endOf(run) < since || (most !== null && place >= most)))
}

function endOf({ finishedAt, startedAt }: RunSummary): number {
  return finishedAt ?? startedAt
}

/** Whether a worktree that was used last at that time has had its. */
export function isIdle(usedAt: number, { days }: History, now: number): boolean {
  return days !== null && usedAt < now - days * DAY_MS
}

/** `the newest 20, for 30 days` */
export function historyText({ runs, days }: History): string {
  const most = runs === null ? 'all' : `the newest ${runs}`
  const long = days === null ? 'without end' : `for ${days} ${days === 1 ? 'day' : 'days'}`
  return `${most}, ${long}`
}
