// What the outside sees of a run: `status --json`, reports, the library. Derived from the journal, never written by hand.
import type { Failure } from './failure.ts'

export const TASK_STATUSES = [
  'pending', // waits for its needs, its wave or the time of its next try
  'ready', // could start: waits for a slot or for paths that another task has claimed
  'running',
  'landing', // its work is done and waits to land
  'landed', // its work is on the run's branch
  'passed', // it succeeded and there is nothing to land
  'failed',
  'blocked', // something it needs did not succeed
  'cancelled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** How an attempt ended. */
export const OUTCOMES = [
  'changed',
  'no-change',
  'failed',
  'refused',
  'rate-limited',
  'budget',
  'timeout',
  'cancelled',
  'crashed',
] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Counts = Record<TaskStatus, number> & { total: number }

export type DiffStat = { files: number; insertions: number; deletions: number }

export type Usage = { inputTokens: number; outputTokens: number; costUsd: number }

export type AttemptView = {
  attempt: number
  slot: number
  base: string
  startedAt: number
  finishedAt: number | null
  outcome: Outcome | null
  failure: Failure | null
  /** The commit that holds its work, kept under a ref whether it landed or not. */
  commit: string | null
  diff: DiffStat | null
  usage: Usage | null
  /** What the agent said it did, in a line. */
  summary: string | null
}

export type TaskView = {
  id: string
  title: string
  epic: string | null
  needs: string[]
  status: TaskStatus
  outcome: Outcome | null
  /** How often it was started. */
  attempts: number
  /** Times in ms since the epoch; null while it has not happened. */
  startedAt: number | null
  finishedAt: number | null
  durationMs: number | null
  landedCommit: string | null
  landedAt: number | null
  failure: Failure | null
  /** When a failed task is tried again. */
  retryAt: number | null
  /** While it runs and counts as stalled: since when its agent has printed nothing. */
  stalledSince: number | null
  history: AttemptView[]
}

/** A run without its tasks. */
export type RunSummary = {
  run: string
  name: string
  status: RunStatus
  /** True where `espalier resume` has something to go on with, once no engine works on it. */
  resumable: boolean
  repo: string
  /** The process that wrote this last. */
  enginePid: number
  branch: string
  base: string
  head: string
  startedAt: number
  finishedAt: number | null
  slots: number
  schedule: 'eager' | 'waves'
  counts: Counts
  usage: Usage
}

export type RunView = RunSummary & {
  /** The engine that works on it now, if one does. */
  engine: { pid: number } | null
  durationMs: number
  tasks: TaskView[]
}
