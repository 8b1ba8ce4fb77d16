// The verdict of a run: a title and the counts.
import type { RunView } from '../../status.ts'

export type Verdict = {
  kind: 'landed' | 'partly' | 'nothing' | 'running' | 'waiting' | 'interrupted' | 'cancelled' | 'empty'
  title: string
  detail: string
}

type Stand = Pick<RunView, 'counts' | 'branch' | 'status' | 'engine' | 'resumable'>

/** `landedOn`: the user's branch that has everything that landed; null where none is known to. */
export function verdictOf(view: Stand, landedOn: string | null): Verdict {
  const { counts, branch } = view
  const done = counts.landed + counts.passed
  const of = `${done} of ${counts.total}`
  const rest = [
    counted(counts.conflict, 'in conflict'),
    counted(counts.failed, 'failed'),
    counted(counts.blocked, 'blocked'),
    counted(counts.cancelled, 'cancelled'),
    counted(counts.running + counts.landing, 'in progress'),
    counted(counts.ready + counts.pending, 'waiting'),
  ].filter((text) => text !== '')
  const detail = [
    counted(counts.landed, `landed on ${branch}${landedOn === null ? '' : ` and on ${landedOn}`}`),
    counted(counts.passed, counts.landed > 0 ? 'passed without landing' : 'passed'),
    ...rest,
  ]
    .filter((text) => text !== '')
    .join(', ')
  if (counts.total === 0) return { kind: 'empty', title: 'Nothing to do', detail: 'The plan has no tasks.' }
  if (view.status === 'running' && view.engine) return { kind: 'running', title: `Running: ${of} done`, detail }
  if (view.status === 'waiting') return { kind: 'waiting', title: `Waiting for you: ${of} done`, detail }
  if (view.resumable || view.status === 'running')
    return { kind: 'interrupted', title: `Interrupted: ${of} done`, detail }
  if (view.status === 'cancelled') return { kind: 'cancelled', title: `Cancelled: ${of} done`, detail }
  if (done === counts.total) {
    if (counts.landed === 0) return { kind: 'landed', title: 'Everything passed', detail }
    return { kind: 'landed', title: 'Everything landed', detail }
  }
  if (done === 0) return { kind: 'nothing', title: 'Nothing landed', detail }
  return { kind: 'partly', title: `${of} tasks ${counts.passed > 0 ? 'succeeded' : 'landed'}`, detail }
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}`
}
