// All runs of a repository, one line each: `espalier status --all`.
import { formatDuration } from '../duration.ts'
import type { RunSummary } from '../status.ts'
import { padEnd, widest } from './display-width.ts'

export function runLines(runs: RunSummary[], now: number): string[] {
  const rows = runs.map((run) => [
    run.run,
    wordFor(run),
    landed(run),
    `started ${formatDuration(Math.max(0, now - run.startedAt))} ago`,
    run.branch,
  ])
  const widths = [0, 1, 2, 3].map((column) => widest(rows.map((row) => row[column] ?? '')))
  return rows.map((row) =>
    row
      .map((cell, column) => padEnd(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function wordFor({ status, resumable }: RunSummary): string {
  return status === 'cancelled' && resumable ? 'interrupted' : status
}

function landed({ counts }: RunSummary): string {
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : ''
  return `${counts.landed + counts.passed}/${counts.total} done${failed}`
}
