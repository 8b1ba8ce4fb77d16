// The landing queue of the real scheduler on a virtual clock: every task is done at once (or when it is told to be),
// merges take no time, and the verify commands are a function of what is in the tree.
import type { Event, Fact, Limits } from '../src/event.ts'
import { apply } from '../src/scheduler/apply/apply.ts'
import { decide } from '../src/scheduler/decide.ts'
import { Heap } from '../src/scheduler/dispatch/heap.ts'
import { taskAt, unitAt } from '../src/scheduler/graph.ts'
import { movedPart } from '../src/scheduler/landing/batch.ts'
import { emptyState } from '../src/scheduler/state.ts'
import { commandPlan } from './espalier-run.ts'
import { newLimits, virtualStart } from './virtual-run.ts'

export type QueueOptions = {
  /** Tasks t0, t1, …; none has a retry, so what is ejected stays away. */
  items: number
  landing: Limits['landing']
  slots: number
  verifyMs: number
  /** Whether the commands fail on a tree with the work of these tasks in it. */
  isBad(tasks: ReadonlySet<string>): boolean
  /** Whether they fail this time although nothing is wrong. */
  flakes(): boolean
  /** When the work of each task is done; default: all at once. */
  doneAt?(item: number): number
}

export type QueueRun = {
  landed: string[]
  ejected: string[]
  /** Times the commands were started, also those that were halted. */
  runs: number
  /** Different trees they were started on. */
  trees: number
  /** Commits that passed, and those that the branch moved to: points where it could be seen. */
  passed: Set<string>
  points: string[]
  /** All commits on the branch, in order, and what is in each. */
  chain: string[]
  contents: Map<string, ReadonlySet<string>>
  makespanMs: number
  journal: Event[]
}

type Coming = { at: number; fact: Fact }

/** Far more verifications per item than any queue needs: one that goes on like that never ends. */
const MAX_RUNS_PER_ITEM = 100

export function virtualQueue(options: QueueOptions): QueueRun {
  const { items, slots, verifyMs, landing } = options
  const plan = commandPlan(Array.from({ length: items }, () => 'true'))
  const limits = newLimits(slots, { landing })
  const state = emptyState(plan, limits)
  const base = commitId(0)
  const contents = new Map<string, ReadonlySet<string>>([[base, new Set()]])
  const run: QueueRun = {
    ...{ landed: [], ejected: [], runs: 0, trees: 0, makespanMs: 0, journal: [] },
    ...{ passed: new Set(), points: [], chain: [], contents },
  }
  const coming = new Heap<Coming>((a, b) => a.at - b.at)
  const halted = new Set<number>()
  const trees = new Set<string>()
  let now = 0
  let commits = 0
  const happen = (fact: Fact) => {
    const event = { ...fact, seq: run.journal.length + 1, at: now }
    run.journal.push(event)
    apply(state, event)
  }
  const built = (parts: { tasks: string[] }[], onto: string): Fact => {
    let top = onto
    const chain = parts.map(({ tasks }) => {
      const commit = commitId(++commits)
      contents.set(commit, new Set([...(contents.get(top) ?? []), ...tasks]))
      top = commit
      return { tasks, commit }
    })
    return { type: 'landing.built', items: chain, onto }
  }
  const verified = (verification: number, commit: string): Fact => {
    const isBad = options.isBad(contents.get(commit) ?? new Set())
    const passed = !isBad && !options.flakes()
    const failure = passed ? null : { reason: 'landing-failed' as const, message: 'exit 1' }
    return {
      type: 'landing.verified',
      verification,
      commit,
      verdict: { passed, cached: false, durationMs: 0, failure },
    }
  }
  happen({ ...virtualStart(limits), base } as Fact)
  for (;;) {
    for (let next = decide(state, now); next; next = decide(state, now)) {
      happen(next)
      if (next.type === 'attempt.started') {
        const { task, attempt } = next
        const at = options.doneAt?.(Number(task.slice(1))) ?? now
        coming.push({ at: Math.max(at, now), fact: finished(task, attempt, commitId(++commits)) })
      } else if (next.type === 'landing.started') happen(built(next.items, next.onto))
      else if (next.type === 'landing.verifying') {
        if (++run.runs > MAX_RUNS_PER_ITEM * items) throw new Error('the queue does not come to rest')
        trees.add(next.commit)
        coming.push({ at: now + verifyMs, fact: verified(next.verification, next.commit) })
      } else if (next.type === 'landing.halting') halted.add(next.verification)
      else if (next.type === 'landing.moving') {
        run.points.push(next.commit)
        let onto = next.onto
        for (const { unit, commit } of movedPart(state, next.commit)) {
          const tasks = unitAt(state.graph, unit).members.map((member) => taskAt(state.graph, member).id)
          happen({ type: 'landing.landed', tasks, commit, onto })
          run.landed.push(...tasks)
          run.chain.push(commit)
          onto = commit
        }
      } else if (next.type === 'landing.refused') run.ejected.push(...next.tasks)
    }
    const due = coming.pop()
    if (!due) break
    const { fact } = due
    if (fact.type === 'landing.verified' && halted.has(fact.verification)) happen({ ...fact, verdict: null })
    else {
      now = due.at
      if (fact.type === 'landing.verified' && fact.verdict?.passed) run.passed.add(fact.commit)
      happen(fact)
    }
  }
  if (!state.finished) throw new Error(`the queue did not come to rest: ${JSON.stringify(state.counts)}`)
  return { ...run, trees: trees.size, makespanMs: now }
}

function finished(task: string, attempt: number, commit: string): Fact {
  const diff = { files: 1, insertions: 1, deletions: 0 }
  const nothing = { failure: null, usage: null, summary: null }
  return { type: 'attempt.finished', task, attempt, outcome: 'changed', commit, diff, ...nothing }
}

function commitId(n: number): string {
  return n.toString(16).padStart(40, '0')
}
