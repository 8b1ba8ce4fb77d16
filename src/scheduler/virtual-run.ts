// A run of the real scheduler on a virtual clock: every attempt succeeds at its first try after its task's estimate, costs
// its estimate, and lands at once. So the result depends only on the plan and the order of dispatch. Pure.

import type { Event, Fact, Limits } from '../event.ts'
import { endedWithoutWork } from '../outcome-of-failure.ts'
import { likelyMs, likelyUsd, type Plan, type Task } from '../task.ts'
import { NO_USAGE } from '../usage.ts'
import { apply } from './apply/apply.ts'
import { decide } from './decide.ts'
import { Heap } from './dispatch/heap.ts'
import { emptyState, type RunState } from './state.ts'

export type VirtualOptions = {
  limits: Limits
  until?: number
  /** Called with every event, and before that for the decision it comes from. */
  onEvent?: (event: Event) => void
  onDecision?: () => void
}

const UNKNOWN_MS = 1000
const COMMIT = 'c'.repeat(40)

/** Timeouts have no effect: an attempt takes as long as estimated. */
export function virtualRun(
  plan: Plan,
  { limits, until = Number.POSITIVE_INFINITY, onEvent, onDecision }: VirtualOptions,
): { makespanMs: number; state: RunState } {
  // Provides all requested labels, because the real machines are unknown.
  const labels = [...new Set(plan.tasks.flatMap((task) => task.labels ?? []))]
  const all = labels.length > 0 ? { ...limits, labels } : limits
  const state = emptyState(plan, all)
  const coming = new Heap<{ at: number; task: Task }>((a, b) => a.at - b.at)
  let [now, seq, ended] = [0, 0, 0]
  const happen = (fact: Fact) => {
    const event = { ...fact, seq: ++seq, at: now }
    apply(state, event)
    onEvent?.(event)
  }
  const end = ({ task }: { task: Task }) => {
    ended++
    happen(endOf(task))
  }
  happen(virtualStart(all))
  while (ended < until) {
    for (let next = decide(state, now); next; next = decide(state, now)) {
      onDecision?.()
      happen(next)
      if (next.type === 'attempt.started') {
        const task = state.graph.tasks[state.graph.taskIndex.get(next.task) ?? -1] as Task
        coming.push({ at: now + timeOf(task), task })
      }
      if (next.type === 'landing.started')
        for (const { tasks } of next.items) happen({ type: 'landing.landed', tasks, commit: COMMIT, onto: next.onto })
    }
    // The views of a real run are written after every tick.
    state.changed.clear()
    const due = coming.pop()
    if (!due) break
    now = due.at
    end(due)
    // Takes all ends at the same time before anything is decided, like a tick of the engine.
    for (let same = coming.peek(); ended < until && same?.at === now; same = coming.peek()) {
      coming.pop()
      end(same)
    }
  }
  return { makespanMs: now, state }
}

export function virtualLimits(slots: number, more: Partial<Limits> = {}): Limits {
  const backoff = { initialMs: 1000, maxMs: 60_000 }
  const landing = { verify: false, window: 1, allgreen: false, reruns: 0 }
  const rules = { schedule: 'eager', strict: false, onStall: 'report', claims: 'warn' } as const
  const budget = { usd: null, onReached: 'finish' } as const
  const tasks = { timeoutMs: 2 ** 31, retries: 0 }
  return { slots, maxPerEpic: null, ...rules, backoff, ...tasks, landing, budget, ...more }
}

export function virtualStart(limits: Limits): Fact {
  return { type: 'run.started', base: COMMIT, branch: 'espalier/virtual-1', seed: 1, limits }
}

function timeOf(task: Task): number {
  return task.outside ? 0 : (likelyMs(task) ?? UNKNOWN_MS)
}

function endOf(task: Task): Fact {
  const attempt = { task: task.id, attempt: 1 }
  if (task.outside) {
    const failure = { reason: 'outside-repository', message: 'it names paths outside of the repository' } as const
    return endedWithoutWork(attempt, failure)
  }
  const diff = { files: 1, insertions: 1, deletions: 0 }
  const costUsd = likelyUsd(task)
  const usage = costUsd === null ? null : { ...NO_USAGE, costUsd }
  const work = { commit: COMMIT, diff, failure: null, usage, summary: null }
  return { type: 'attempt.finished', ...attempt, outcome: 'changed', ...work }
}
