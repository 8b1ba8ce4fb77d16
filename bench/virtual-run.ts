// A run of the real scheduler on a virtual clock: every attempt succeeds after its task's estimate, landings take no
// time. What is left is what the order of dispatch makes of the plan, and what deciding costs.
import type { Event, Fact, Limits } from '../src/event.ts'
import { apply } from '../src/scheduler/apply.ts'
import { decide } from '../src/scheduler/decide.ts'
import { Heap } from '../src/scheduler/heap.ts'
import { emptyState, type RunState } from '../src/scheduler/state.ts'
import { toFact } from '../src/scheduler/view.ts'
import type { Plan } from '../src/task.ts'

export type VirtualRun = {
  makespanMs: number
  decisions: number
  /** Real time per decision, in µs, for every hundred of them after the first hundred. */
  costs: number[]
  events: Event[]
  state: RunState
}

export type VirtualOptions = {
  limits: Limits
  /** Stop after so many tasks have finished. */
  until?: number
  /** Keep the journal. */
  keep?: boolean
}

const COMMIT = 'c'.repeat(40)
const BLOCK = 100

export function virtualRun(
  plan: Plan,
  { limits, until = Number.POSITIVE_INFINITY, keep = false }: VirtualOptions,
): VirtualRun {
  const state = emptyState(plan, limits)
  const events: Event[] = []
  const coming = new Heap<{ at: number; task: string }>((entry) => entry.at)
  let now = 0
  let seq = 0
  let decisions = 0
  let finished = 0
  const happen = (fact: Fact) => {
    const event = { ...fact, seq: ++seq, at: now }
    apply(state, event)
    if (keep) events.push(event)
  }
  happen(startOf(limits))
  const costs: number[] = []
  let mark = 0
  while (finished < until) {
    for (let next = decide(state, now); next; next = decide(state, now)) {
      if (++decisions % BLOCK === 0) {
        const at = performance.now()
        if (mark > 0) costs.push(((at - mark) / BLOCK) * 1000)
        mark = at
      }
      happen(toFact(next))
      if (next.kind === 'start') {
        const task = state.graph.tasks[state.graph.taskIndex.get(next.task) ?? -1]
        coming.push({ at: now + (task?.estimateMs ?? 1000), task: next.task })
      }
      if (next.kind === 'build')
        for (const { tasks } of next.items) happen({ type: 'landing.landed', tasks, commit: COMMIT, onto: next.onto })
    }
    // The views of a real run are written after every tick.
    state.changed.clear()
    const due = coming.pop()
    if (!due) break
    now = due.at
    finished++
    happen(finishOf(due.task))
  }
  return { makespanMs: now, decisions, costs, events, state }
}

export function newLimits(slots: number, more: Partial<Limits> = {}): Limits {
  const backoff = { initialMs: 1000, maxMs: 60_000 }
  const landing = { verify: false, window: 1, allgreen: false, reruns: 0 }
  const rules = { schedule: 'eager', strict: false, onStall: 'report', claims: 'warn' } as const
  return { slots, maxPerEpic: null, ...rules, backoff, landing, ...more }
}

export function startOf(limits: Limits): Fact {
  return { type: 'run.started', base: COMMIT, branch: 'espalier/bench-1', seed: 1, limits }
}

function finishOf(task: string): Fact {
  const diff = { files: 1, insertions: 1, deletions: 0 }
  const nothing = { failure: null, usage: null, summary: null }
  return { type: 'attempt.finished', task, attempt: 1, outcome: 'changed', commit: COMMIT, diff, ...nothing }
}
