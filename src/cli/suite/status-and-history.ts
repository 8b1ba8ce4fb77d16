import {
  type EntryHistory,
  readEntryHistory,
  readSuiteStatus,
  type SuiteStatus,
} from '../../engine/suite/report-of-suite-run.ts'
import { refuse } from '../../problem.ts'
import { stabilityText } from '../../reports/suite/words.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { flag, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { nextOfSuite, suiteLines } from '../live/suite-end.ts'
import type { Done } from '../refusal.ts'

export const commands = {
  status: inWorkspace(
    { json: ONE_OBJECT },
    `
Without RUN: the newest suite. --json has progress, workers (free, busy or error, with the current entry) and entries.`,
    (here, _, run: string | undefined) => suiteStatus(here, run),
  ),
  history: inWorkspace(
    {
      limit: flag('-n, --limit <n>', 'how many results, the newest', wholeNumber(1, 1_000)).default(20),
      json: ONE_OBJECT,
    },
    '',
    async (here, { limit = 20, json }, entry: string | undefined) => {
      const read = await readEntryHistory(here.workspace, { entry, limit })
      if (!read.ok) return read
      if (read.value.length === 0 && !json)
        return refuse(entry === undefined ? 'no suite has run here yet' : `no entry ${entry} has run here yet`)
      return { json: { entries: read.value }, lines: read.value.flatMap((one) => linesOf(one, entry !== undefined)) }
    },
  ),
}

export async function suiteStatus(here: InWorkspace, run: string | undefined): Promise<Done> {
  const { workspace, repeat } = here
  const read = await readSuiteStatus(workspace, { run })
  if (!read.ok) return read
  const { report, progress, workers, leftMs } = read.value
  const { run: id, name, status, ok, entries, summary } = report
  const known = await knownRun(workspace, report.run)
  const left = leftMs === null ? '' : `, about ${formatDuration(leftMs)} left`
  const head = `Suite ${report.run}: ${report.status}, ${progress.completed} of ${progress.total} done${left}`
  const lines = [
    head,
    ...suiteLines(report, here),
    ...(report.status === 'running' ? workers.map(workerLine) : []),
    ...(known.ok ? nextOfSuite(known.value, report, repeat, here) : []),
  ]
  return { json: { run: id, name, status, ok, progress, leftMs, workers, summary, entries }, lines }
}

function workerLine({ worker, state, entry }: SuiteStatus['workers'][number]): string {
  return `worker ${worker}: ${state}${entry === null ? '' : ` ${entry}`}`
}

function linesOf({ key, stability, medianMs, records }: EntryHistory, isWhole: boolean): string[] {
  const rate = stabilityText({ stability })
  const time = medianMs === null ? '' : `, ${formatDuration(medianMs)}`
  const head = `${safeLine(key)}: ${stability.kind}${rate && `, ${rate}`}${time}, seen ${records.length === 1 ? 'once' : `${records.length} times`}`
  if (!isWhole) return [head]
  const lines = records.map(({ at, run, verdict, durationMs, tries: ends, machine }) => {
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
    const many = ends.length > 1 ? `  ${ends.length} tries` : ''
    return `  ${when}  ${verdict.padEnd(7)}  ${formatDuration(durationMs).padStart(7)}  ${run}  ${safeLine(machine)}${many}`
  })
  return [head, ...lines]
}
