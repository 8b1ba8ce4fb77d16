// The status of a task, in terms that plan files of other formats have.
import { LIMITS } from '../../config.ts'
import type { TaskStatus } from '../../status.ts'
import type { TaskView } from '../../view.ts'
import type { StatusFacts, StatusPhase } from '../../workloads/formats/format.ts'

const PHASES: Record<TaskStatus, StatusPhase> = {
  pending: 'open',
  ready: 'open',
  running: 'begun',
  landing: 'begun',
  conflict: 'begun',
  landed: 'done',
  passed: 'done',
  failed: 'failed',
  blocked: 'blocked',
  // Another run may do it.
  cancelled: 'open',
}

export function phaseOf({ status }: Pick<TaskView, 'status'>): StatusPhase {
  return PHASES[status]
}

/** Null: nothing is written for it. `wasWritten`: the run has written its status before. */
export function statusFacts(task: TaskView, wasWritten = false): StatusFacts | null {
  const { history, startedAt, finishedAt, failure } = task
  // The run or person that did it, or removed it, sets its status.
  if (failure?.reason === 'dropped') return null
  const phase = phaseOf(task)
  if (phase === 'open' && history.length === 0 && !wasWritten) return null
  const output = phase === 'done' ? history.at(-1)?.summary || resultOf(task) : failure?.message
  return {
    phase,
    startedAt,
    finishedAt,
    session: history.findLast(({ session }) => session)?.session?.id ?? null,
    output: output ? firstLine(output) : null,
  }
}

/** For agents without a summary: a program named with `--command` need not give one. */
function resultOf({ status, landedCommit, history }: TaskView): string {
  const { outcome, diff } = history.at(-1) ?? {}
  const files = diff
    ? `${diff.files} ${diff.files === 1 ? 'file' : 'files'}, +${diff.insertions} -${diff.deletions}`
    : ''
  if (status === 'landed' && landedCommit) return `Landed as ${landedCommit.slice(0, 12)}${files && `: ${files}`}`
  return outcome === 'no-change' || !files ? 'Nothing was changed' : `Not meant to land: ${files}`
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.replace(/:$/, '').slice(0, LIMITS.messageChars)
}
