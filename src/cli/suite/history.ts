import { type EntryHistory, readEntryHistory } from '../../engine/suite/report-of-suite-run.ts'
import { refuse } from '../../problem.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { flag, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'

export const commands = {
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

function linesOf({ key, stability, medianMs, records }: EntryHistory, isWhole: boolean): string[] {
  const { kind, failureRate, interval, tries } = stability
  const percent = (rate: number) => `${Math.round(rate * 100)}%`
  const rate =
    kind === 'flaky'
      ? `, fails ${percent(failureRate)} of the time (${percent(interval.low)}–${percent(interval.high)}, ${tries} tries)`
      : ''
  const time = medianMs === null ? '' : `, ${formatDuration(medianMs)}`
  const head = `${safeLine(key)}: ${kind}${rate}${time}, seen ${records.length === 1 ? 'once' : `${records.length} times`}`
  if (!isWhole) return [head]
  const lines = records.map(({ at, run, verdict, durationMs, tries: ends, machine }) => {
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ')
    const many = ends.length > 1 ? `  ${ends.length} tries` : ''
    return `  ${when}  ${verdict.padEnd(7)}  ${formatDuration(durationMs).padStart(7)}  ${run}  ${safeLine(machine)}${many}`
  })
  return [head, ...lines]
}
