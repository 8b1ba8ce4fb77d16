// What the views have to remember of a run while its events pass by: who runs, what they said last, how long the
// finished ones took. A fold over events, so it is right after a resume as well, when history comes first.
import type { Failure } from '../failure.ts'
import type { RunEvent } from '../index.ts'
import type { DiffStat } from '../status.ts'

export type RunningTask = {
  id: string
  attempt: number
  /** The attempt among those that count against the retries. */
  turn: number
  startedAt: number
  message: string
  stalledSince: number | null
  stopping: boolean
}
type FinishedAttempt = { durationMs: number; diff: DiffStat | null }

export type RunProgress = {
  running: Map<string, RunningTask>
  /** The last attempt of tasks whose work waits to land. */
  finished: Map<string, FinishedAttempt>
  /** By task: attempts that count against its retries, those lost with their supervisor, those a provider's limit ended. */
  failures: Map<string, number>
  lost: Map<string, number>
  limited: Map<string, number>
  /** Attempts that succeeded, for the estimate. */
  measured: { count: number; totalMs: number }
  /** Commits that failed to verify. */
  red: Set<string>
  /** Tasks that somebody cancelled. */
  cancelled: Set<string>
}

export function newProgress(): RunProgress {
  const counts = { failures: new Map(), lost: new Map(), limited: new Map() }
  const [red, cancelled] = [new Set<string>(), new Set<string>()]
  return { running: new Map(), finished: new Map(), ...counts, measured: { count: 0, totalMs: 0 }, red, cancelled }
}

/** Whether the provider's limit is all that ended it, so that it uses up no try. Ask before the event is folded in. */
export function isFree({ limited }: RunProgress, task: string, failure: Failure): boolean {
  return failure.reason === 'rate-limited' && (limited.get(task) ?? 0) < LIMITED_FREE
}

/** Which try of a task's retries its next attempt is: one that was interrupted does not count. */
export function nextTurn({ failures }: RunProgress, task: string): number {
  return (failures.get(task) ?? 0) + 1
}

/** As the scheduler has it: so many attempts that were lost with their supervisor, or ended by a limit, do not count. */
const LOST_FREE = 3
const LIMITED_FREE = 50

export function follow(progress: RunProgress, event: RunEvent): void {
  switch (event.type) {
    case 'attempt.started': {
      const { task: id, attempt, at: startedAt } = event
      const turn = nextTurn(progress, id)
      progress.running.set(id, { id, attempt, turn, startedAt, message: '', stalledSince: null, stopping: false })
      break
    }
    case 'attempt.progress': {
      const running = progress.running.get(event.task)
      if (running && running.attempt === event.attempt) running.message = event.message
      break
    }
    case 'attempt.stalled':
    case 'attempt.stirred': {
      const running = progress.running.get(event.task)
      if (!running || running.attempt !== event.attempt) break
      running.stalledSince = event.type === 'attempt.stalled' ? event.since : null
      if (event.type === 'attempt.stirred') running.stopping = false
      break
    }
    case 'run.resumed':
      for (const running of progress.running.values()) running.stalledSince = null
      break
    case 'attempt.stopping': {
      const running = progress.running.get(event.task)
      if (running) running.stopping = true
      break
    }
    case 'attempt.finished': {
      const running = progress.running.get(event.task)
      const durationMs = running ? Math.max(0, event.at - running.startedAt) : 0
      progress.running.delete(event.task)
      progress.finished.set(event.task, { durationMs, diff: event.diff })
      if (event.failure) countFailure(progress, event.task, event.failure)
      else if (running) {
        progress.measured.count += 1
        progress.measured.totalMs += durationMs
      }
      break
    }
    case 'task.cancelled':
      progress.cancelled.add(event.task)
      break
    case 'landing.verified':
      if (event.verdict?.passed === false) progress.red.add(event.commit)
      break
    case 'landing.landed':
    case 'landing.refused':
      for (const task of event.tasks) {
        progress.finished.delete(task)
        if (event.type === 'landing.refused') addOne(progress.failures, task)
      }
      break
  }
}

function countFailure({ failures, lost, limited }: RunProgress, task: string, { reason }: Failure): void {
  if (reason === 'interrupted') return
  if (reason === 'supervisor-lost' && addOne(lost, task) <= LOST_FREE) return
  if (reason === 'rate-limited' && addOne(limited, task) <= LIMITED_FREE) return
  addOne(failures, task)
}

function addOne(counts: Map<string, number>, task: string): number {
  const count = (counts.get(task) ?? 0) + 1
  counts.set(task, count)
  return count
}
