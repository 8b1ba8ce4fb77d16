// Views of runs for the tests of rendering: only what a test is about has to be said.
import type { ModelChoice } from '../../src/learning-records.ts'
import { TASK_STATUSES, type TaskStatus } from '../../src/status.ts'
import { NO_USAGE } from '../../src/usage.ts'
import type { Counts, RunView, TaskView } from '../../src/view.ts'

export const BASE = 'b'.repeat(40)
export const HEAD = 'a1b2c3d4'.repeat(5)

/** What `model: auto` may have chosen. */
export const CHOICE: ModelChoice = {
  ...{ model: 'claude-haiku-4-5', tier: 1, tiers: 3, why: 'general, complexity 0.20' },
  ...{ success: 0.9, expectedUsd: 0.1, dearestUsd: 1.5 },
}

export function sampleTask(id: string, status: TaskStatus, more: Partial<TaskView> = {}): TaskView {
  return {
    id,
    title: id,
    epic: null,
    needs: [],
    status,
    outcome: null,
    attempts: status === 'pending' || status === 'ready' || status === 'blocked' ? 0 : 1,
    startedAt: null,
    finishedAt: null,
    durationMs: null,
    landedCommit: null,
    landedAt: null,
    failure: null,
    conflict: null,
    retryAt: null,
    stalledSince: null,
    history: [],
    ...more,
  }
}

export function sampleRun(tasks: TaskView[], more: Partial<RunView> = {}): RunView {
  return {
    run: 'checkout-7',
    name: 'checkout',
    status: 'running',
    resumable: true,
    engine: { pid: 1 },
    repo: '/repo',
    enginePid: 4711,
    branch: 'espalier/checkout-7',
    base: BASE,
    head: HEAD,
    startedAt: 0,
    finishedAt: null,
    durationMs: 0,
    slots: 3,
    schedule: 'eager',
    counts: countsOf(tasks.map(({ status }) => status)),
    usage: NO_USAGE,
    tasks,
    ...more,
  }
}

export function countsOf(statuses: TaskStatus[]): Counts {
  const zero = Object.fromEntries(TASK_STATUSES.map((status) => [status, 0])) as Record<TaskStatus, number>
  const counts: Counts = { ...zero, total: statuses.length }
  for (const status of statuses) counts[status] += 1
  return counts
}
