import { type EntryHistory, readEntryHistory } from '../../engine/suite/history.ts'
import { refuse } from '../../problem.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import type { Commands } from '../command-line/calls.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { withRepository } from '../command-line/flags.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  history: (history, { inWorkspace }) =>
    withRepository(history)
      .option('-n, --limit <n>', 'how many results, the newest', wholeNumber(1, 1_000), 20)
      .option('--json', 'print one JSON object')
      .action(inWorkspace(suiteHistory)),
}

type Flags = { limit: number; json?: boolean }

async function suiteHistory(entry: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const read = await readEntryHistory(here.workspace, { entry, limit: flags.limit })
  if (!read.ok) return read
  const histories = read.value
  if (flags.json) return printJson({ entries: histories }, here)
  if (histories.length === 0)
    return refuse(entry === undefined ? 'no suite has run here yet' : `no entry ${entry} has run here yet`)
  return printLines(
    histories.flatMap((one) => linesOf(one, entry !== undefined)),
    here,
  )
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
