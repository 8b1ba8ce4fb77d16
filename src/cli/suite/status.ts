import { readSuiteStatus, type WorkerView } from '../../internal.ts'
import { formatDuration } from '../../text/duration.ts'
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { nextOfSuite, suiteLines } from '../live/suite-end.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function suiteStatus(
  run: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, repeat } = found.value
  const read = await readSuiteStatus(workspace, { run })
  if (!read.ok) return refuseWith(read.problems, surroundings)
  const { report, progress, workers, leftMs } = read.value
  if (flags.json) {
    const { run: id, name, status, ok, entries, summary } = report
    surroundings.out.write(
      `${jsonOutput({ run: id, name, status, ok, progress, leftMs, workers, summary, entries })}\n`,
    )
    return EXIT.done
  }
  const known = await knownRun(workspace, report.run)
  const left = leftMs === null ? '' : `, about ${formatDuration(leftMs)} left`
  const head = `Suite ${report.run}: ${report.status}, ${progress.completed} of ${progress.total} done${left}`
  const lines = [
    head,
    ...suiteLines(report, surroundings),
    ...(report.status === 'running' ? workers.map(workerLine) : []),
    ...(known.ok ? nextOfSuite(known.value, report, repeat, surroundings) : []),
  ]
  return printLines(lines, surroundings)
}

function workerLine({ worker, state, entry }: WorkerView): string {
  return `worker ${worker}: ${state}${entry === null ? '' : ` ${entry}`}`
}
