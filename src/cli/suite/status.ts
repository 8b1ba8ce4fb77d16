import { readSuiteStatus, type WorkerView } from '../../internal.ts'
import { formatDuration } from '../../text/duration.ts'
import { jsonOutput } from '../../text/json.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { suiteLines } from '../live/suite-end.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function suiteStatus(
  run: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const read = await readSuiteStatus(found.value.workspace, { run })
  if (!read.ok) return refuseWith(read.problems, surroundings)
  const { report, progress, workers, leftMs } = read.value
  if (flags.json) {
    const { run: id, name, status, ok, entries, summary } = report
    surroundings.out.write(
      `${jsonOutput({ run: id, name, status, ok, progress, leftMs, workers, summary, entries })}\n`,
    )
    return EXIT.done
  }
  const left = leftMs === null ? '' : `, about ${formatDuration(leftMs)} left`
  const head = `Suite ${report.run}: ${report.status}, ${progress.completed} of ${progress.total} done${left}`
  const lines = [
    head,
    ...suiteLines(report, surroundings),
    ...(report.status === 'running' ? workers.map(workerLine) : []),
  ]
  surroundings.out.write(`${lines.join('\n')}\n`)
  return EXIT.done
}

function workerLine({ worker, state, entry }: WorkerView): string {
  return `worker ${worker}: ${state}${entry === null ? '' : ` ${entry}`}`
}
