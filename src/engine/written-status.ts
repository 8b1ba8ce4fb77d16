// How a task stands, as far as a plan file of another format can say it.
import { LIMITS } from '../config.ts'
import type { TaskStatus, TaskView } from '../status.ts'
import type { Phase, StatusFacts } from '../workloads/formats/write-back/status-file.ts'

const PHASES: Record<TaskStatus, Phase> = {
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

/** The rest of a failure is what a program printed, which is in the logs. */
function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.replace(/:$/, '').slice(0, LIMITS.messageChars)
}

/** Null where nothing has happened to it that the file should tell. */
export function writtenStatus({ status, history, startedAt, finishedAt, failure }: TaskView): StatusFacts | null {
  const phase = PHASES[status]
  if (phase === 'open' && history.length === 0) return null
  const last = history.at(-1)
  const output = phase === 'done' ? last?.summary : failure?.message
  return {
    phase,
    startedAt,
    finishedAt,
    session: history.findLast(({ session }) => session)?.session?.id ?? null,
    output: output ? firstLine(output) : null,
  }
}
