import { readSuiteStatus, type SuiteStatus } from '../../engine/suite/report-of-suite-run.ts'
import { formatDuration } from '../../text/duration.ts'
import type { Commands } from '../command-line/calls.ts'
import { withRepository } from '../command-line/flags.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { nextOfSuite, suiteLines } from '../live/suite-end.ts'
import type { Done } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands: Commands = {
  status: (status, { inWorkspace }) =>
    withRepository(status)
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(suiteStatus)),
}

type Flags = { json?: boolean }

export async function suiteStatus(run: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace, repeat } = here
  const read = await readSuiteStatus(workspace, { run })
  if (!read.ok) return read
  const { report, progress, workers, leftMs } = read.value
  if (flags.json) {
    const { run: id, name, status, ok, entries, summary } = report
    return printJson({ run: id, name, status, ok, progress, leftMs, workers, summary, entries }, here)
  }
  const known = await knownRun(workspace, report.run)
  const left = leftMs === null ? '' : `, about ${formatDuration(leftMs)} left`
  const head = `Suite ${report.run}: ${report.status}, ${progress.completed} of ${progress.total} done${left}`
  const lines = [
    head,
    ...suiteLines(report, here),
    ...(report.status === 'running' ? workers.map(workerLine) : []),
    ...(known.ok ? nextOfSuite(known.value, report, repeat, here) : []),
  ]
  return printLines(lines, here)
}

function workerLine({ worker, state, entry }: SuiteStatus['workers'][number]): string {
  return `worker ${worker}: ${state}${entry === null ? '' : ` ${entry}`}`
}

const HELP = `
Without RUN: the newest suite. --json has progress, workers (free, busy or error, with the current entry) and entries.`
