import { readSuiteStatus, type SuiteStatus } from '../../engine/suite/report-of-suite-run.ts'
import { formatDuration } from '../../text/duration.ts'
import { inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
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
