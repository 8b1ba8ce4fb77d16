// What the views remember of a run's events: running tasks with their last messages, times of finished attempts. A fold
// over events, so it is right after a resume as well, when history comes first.
import type { RunEvent } from '../../index.ts'
import type { ModelChoice } from '../../model-choice.ts'
import type { DiffStat, InsteadOf } from '../../status.ts'

export type RunningTask = {
  id: string
  attempt: number
  startedAt: number
  agent?: string | undefined
  insteadOf?: InsteadOf | undefined
  choice?: ModelChoice | undefined
  message: string
  stalledSince: number | null
  stopping: boolean
}
type FinishedAttempt = { durationMs: number; diff: DiffStat | null }

export type RunProgress = {
  running: Map<string, RunningTask>
  /** The last attempt of tasks whose work waits to land. */
  finished: Map<string, FinishedAttempt>
  /** Attempts that succeeded, for the estimate. */
  measured: { count: number; totalMs: number }
  red: Set<string>
  cancelled: Set<string>
  landed: Set<string>
  /** No new task starts, and running ones are being stopped. */
  isStopping: boolean
  /** By Ctrl-C, so that it can be resumed. */
  isInterrupted: boolean
}

export function newProgress(): RunProgress {
  const sets = { red: new Set<string>(), cancelled: new Set<string>(), landed: new Set<string>() }
  const measured = { count: 0, totalMs: 0 }
  return {
    running: new Map(),
    finished: new Map(),
    measured,
    ...sets,
    isStopping: false,
    isInterrupted: false,
  }
}

export function follow(progress: RunProgress, event: RunEvent): void {
  switch (event.type) {
    case 'attempt.started': {
      const { task: id, attempt, at: startedAt, agent, insteadOf, choice } = event
      const start = { id, attempt, startedAt, agent, insteadOf, choice }
      progress.running.set(id, { ...start, message: '', stalledSince: null, stopping: false })
      break
    }
    case 'attempt.progress':
    case 'attempt.noted': {
      const running = progress.running.get(event.task)
      const message = event.type === 'attempt.progress' ? event.message : event.text
      if (running && running.attempt === event.attempt) running.message = message
      break
    }
    case 'attempt.stalled':
    case 'attempt.stirred': {
      const running = progress.running.get(event.task)
      if (!running || running.attempt !== event.attempt) break
      if (event.type === 'attempt.stirred' && event.answered) break
      running.stalledSince = event.type === 'attempt.stalled' ? event.since : null
      if (event.type === 'attempt.stirred') running.stopping = false
      break
    }
    case 'run.replanned':
      for (const task of event.again ?? []) progress.cancelled.delete(task)
      break
    case 'run.interrupted':
    case 'run.cancelled':
      progress.isStopping = true
      progress.isInterrupted = event.type === 'run.interrupted'
      break
    case 'run.resumed':
      progress.isStopping = false
      progress.isInterrupted = false
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
      if (running && !event.failure) {
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
        if (event.type === 'landing.landed') progress.landed.add(task)
      }
      break
  }
}
