// The state of a run in words: the same in the terminal, in reports and in the dashboard.
import type { RunKind } from '../status.ts'
import type { Counts, RunView } from '../view.ts'
import { isInterrupted } from './next-steps.ts'

export type RunVerdict = {
  kind: 'landed' | 'partly' | 'nothing' | 'running' | 'waiting' | 'interrupted' | 'cancelled' | 'empty'
  title: string
  detail: string
}

type Stand = Pick<RunView, 'status' | 'counts' | 'engine' | 'resumable' | 'budgets' | 'paused' | 'unplaced'>

/** `waiting for a login`, `interrupted`, `completed` */
export function stateOf(view: Stand): string {
  if (view.status === 'waiting' && view.paused?.some(({ needsLogin }) => needsLogin)) return 'waiting for a login'
  if (view.status === 'waiting' && view.budgets?.holding.length) return 'waiting for a larger budget'
  if (view.status === 'waiting' && view.unplaced?.length) return 'waiting for a worker'
  if (view.status === 'waiting') return 'waiting for you'
  if (isInterrupted(view)) return 'interrupted'
  // Only what somebody cancelled is missing, and what that blocked.
  return view.status === 'failed' && view.counts.failed === 0 ? 'incomplete' : view.status
}

/** An entry of a suite that failed has its verdict, and an idea that failed its place: both are done. */
export function judges(kind: RunKind = 'plan'): boolean {
  return kind !== 'plan'
}

export function notSucceeded({ failed, blocked, cancelled }: Counts): number {
  return failed + blocked + cancelled
}

/** `8/9 done`, of a suite or a search with what failed. */
export function doneText(counts: Counts, kind?: RunKind | undefined): string {
  const done = counts.landed + counts.passed + (judges(kind) ? notSucceeded(counts) : 0)
  return `${done}/${counts.total} done`
}

/** A title and the counts. `landedOn`: the user's branch that has everything that landed; null where none is known to. */
export function verdictOf(view: Stand & Pick<RunView, 'branch'>, landedOn: string | null): RunVerdict {
  const { counts, branch, status } = view
  const done = counts.landed + counts.passed
  const of = `${done} of ${counts.total}`
  const detail = [
    counted(counts.landed, `landed on ${branch}${landedOn === null ? '' : ` and on ${landedOn}`}`),
    counted(counts.passed, counts.landed > 0 ? 'passed without landing' : 'passed'),
    counted(counts.conflict, 'in conflict'),
    counted(counts.failed, 'failed'),
    counted(counts.blocked, 'blocked'),
    counted(counts.cancelled, 'cancelled'),
    counted(counts.running + counts.landing, 'in progress'),
    counted(counts.ready + counts.pending, 'waiting'),
  ]
    .filter((text) => text !== '')
    .join(', ')
  if (counts.total === 0) return { kind: 'empty', title: 'Nothing to do', detail: 'The plan has no tasks.' }
  const kind = isInterrupted(view) ? 'interrupted' : status
  if (kind === 'running' || kind === 'waiting' || kind === 'interrupted' || kind === 'cancelled') {
    const state = stateOf(view)
    return { kind, title: `${state.charAt(0).toUpperCase()}${state.slice(1)}: ${of} done`, detail }
  }
  if (done === counts.total)
    return { kind: 'landed', title: counts.landed === 0 ? 'Everything passed' : 'Everything landed', detail }
  if (done === 0) return { kind: 'nothing', title: 'Nothing landed', detail }
  return { kind: 'partly', title: `${of} tasks ${counts.passed > 0 ? 'succeeded' : 'landed'}`, detail }
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}`
}
