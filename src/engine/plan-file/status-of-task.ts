// The status of a task, as far as a plan file of another format can say it.
import { LIMITS } from '../../config.ts'
import type { TaskStatus } from '../../status.ts'
import type { TaskView } from '../../view.ts'
import type { StatusFacts, StatusPhase } from '../../workloads/formats/status/status-file.ts'

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
  // Nobody did it: another run may.
  cancelled: 'open',
}

export function phaseOf({ status }: Pick<TaskView, 'status'>): StatusPhase {
  return PHASES[status]
}

/** Null where the file has nothing to say about it. `isWritten`: the run has written its status before. */
export function statusFacts(task: TaskView, isWritten = false): StatusFacts | null {
  const { history, startedAt, finishedAt, failure } = task
  // Whoever did it, or took it out of the plan, says how it stands.
  if (failure?.reason === 'dropped') return null
  const phase = phaseOf(task)
  if (phase === 'open' && history.length === 0 && !isWritten) return null
  const output = phase === 'done' ? history.at(-1)?.summary || resultOf(task) : failure?.message
  return {
    phase,
    startedAt,
    finishedAt,
    session: history.findLast(({ session }) => session)?.session?.id ?? null,
    output: output ? firstLine(output) : null,
  }
}

/** Where its agent said nothing about it: a program named with `--command` need not. */
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
