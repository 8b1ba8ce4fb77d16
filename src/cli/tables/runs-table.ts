// A row for each run.
import { basename, isAbsolute, relative } from 'node:path'
import { doneText, stateOf } from '../../facts/run-in-words.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import type { RunInList, RunSummary } from '../../view.ts'
import { palette } from '../terminal/palette.ts'
import { tableLines } from '../terminal/table.ts'

/** `landed`: runs whose result is in HEAD, and the name of HEAD. */
export function runLines(
  runs: readonly RunInList[],
  now: number,
  landed: { head: string; has: ReadonlySet<string> } = { head: '', has: new Set() },
): string[] {
  const rows = runs.map((run) => [
    run.run,
    run.status === 'waiting' ? run.status : stateOf(run), // `status RUN` says for what
    doneOf(run),
    `started ${formatDuration(Math.max(0, now - run.startedAt))} ago`,
    planOf(run),
    landed.has.has(run.run) ? `landed on ${safeLine(landed.head)}` : '',
  ])
  return tableLines(null, rows, { width: Number.POSITIVE_INFINITY, palette: palette(false) })
}

/** The plan file, relative to the repository: runs of different plans may have the same name. */
function planOf({ planFile, repo }: RunInList): string {
  if (planFile === undefined) return ''
  const inside = relative(repo, planFile)
  return safeLine(inside === '' || inside.startsWith('..') || isAbsolute(inside) ? basename(planFile) : inside)
}

function doneOf({ counts, kind }: RunSummary): string {
  const failed = counts.failed > 0 ? `, ${counts.failed} failed` : ''
  return `${doneText(counts, kind)}${failed}`
}
