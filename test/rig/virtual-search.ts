// A search on the real scheduler and a virtual clock: what its evals come to is given, and everything else is what the engine does.
// It can be killed between any two events, and goes on from its journal.
import { createHash } from 'node:crypto'
import type { Event, Fact } from '../../src/event.ts'
import { apply } from '../../src/scheduler/apply/apply.ts'
import { decide, nextWake } from '../../src/scheduler/decide.ts'
import { Heap } from '../../src/scheduler/dispatch/heap.ts'
import { emptyState, type RunState } from '../../src/scheduler/state.ts'
import { taskView } from '../../src/scheduler/view.ts'
import { virtualLimits } from '../../src/scheduler/virtual-run.ts'
import type { Search } from '../../src/search-definition.ts'
import type { Task } from '../../src/task.ts'
import { NO_USAGE } from '../../src/usage.ts'
import { type Manifest, searchManifest } from '../../src/workloads/search/result-manifest.ts'
import { SearchGrowth } from '../../src/workloads/search/run-growth.ts'
import { firstPlan } from '../../src/workloads/search/tasks.ts'

/** What an attempt of a task takes and comes to; `ok: false`: it fails. Of a judge also what it measured. */
export type Ended = { ms: number; ok: boolean; tree?: string; score?: number; samples?: number[]; costUsd?: number }

export type World = {
  /** `attempt`: counted from 1, without those that a kill ended. */
  attempt: (task: Task, attempt: number) => Ended
  /** Asked after every event: the engine is killed, and another one goes on. */
  isKilled?: () => boolean
}

export type VirtualSearch = { makespanMs: number; state: RunState; events: Event[]; manifest: Manifest }

export function virtualSearch(
  search: Search,
  { slots, retries = 0, maxPerEpic = null, budgetUsd = null, until = Number.POSITIVE_INFINITY }: Options,
  world: World,
): VirtualSearch {
  const budget = { usd: budgetUsd, onReached: 'finish' } as const
  const limits = virtualLimits(slots, { retries, maxPerEpic, budget, backoff: { initialMs: 1, maxMs: 10 } })
  const plan = firstPlan(search, { name: 'search', root: null })
  const begun: Fact = {
    ...{ type: 'run.started', kind: 'search', base: hashOf('root'), branch: 'espalier/search-1', seed: 7 },
    limits,
  }
  const events: Event[] = []
  let state = emptyState(plan, limits)
  let growth = new SearchGrowth(search)
  let [now, ended] = [0, 0]
  const coming = new Heap<{ at: number; task: Task; attempt: number }>(
    (a, b) => a.at - b.at || (a.task.id < b.task.id ? -1 : 1),
  )
  const happen = (fact: Fact) => {
    const event: Event = { ...fact, seq: events.length + 1, at: now }
    events.push(event)
    apply(state, event)
  }
  const grow = (): boolean => {
    const before = events.length
    if (state.stop !== null) return false
    const { added, dropped } = growth.next(state)
    for (const task of dropped?.tasks ?? [])
      happen({ type: 'task.cancelled', task, request: null, dropped: dropped?.why })
    if (added) happen({ type: 'tasks.added', ...added })
    return events.length > before
  }
  const restart = () => {
    state = events.reduce(apply, emptyState(plan, limits))
    growth = new SearchGrowth(search)
    happen({ type: 'run.resumed', limits })
  }
  happen(begun)
  for (;;) {
    if (world.isKilled?.()) restart()
    grow()
    for (let next = decide(state, now); next; next = decide(state, now)) {
      if (next.type === 'run.finished') {
        state.changed.clear()
        if (grow()) continue
      }
      happen(next)
      if (next.type === 'attempt.started') {
        const task = state.graph.tasks[state.graph.taskIndex.get(next.task) ?? -1] as Task
        coming.push({ at: now + world.attempt(task, next.attempt).ms, task, attempt: next.attempt })
      }
      if (next.type === 'landing.started')
        for (const { tasks } of next.items)
          happen({ type: 'landing.landed', tasks, commit: hashOf('landed'), onto: next.onto })
    }
    state.changed.clear()
    if (state.finished || ended >= until) break
    const due = coming.peek()
    const wake = nextWake(state)
    if (!due && wake === null) throw new Error('nothing will happen any more')
    if (!due || (wake !== null && wake < due.at)) {
      now = Math.max(now, wake as number)
      continue
    }
    coming.pop()
    ended++
    now = due.at
    happen(endOf(search, due.task, due.attempt, world.attempt(due.task, due.attempt)))
  }
  const tasks = new Map(state.graph.tasks.map(({ id }, index) => [id, taskView(state, index)]))
  const run = {
    run: 'search-1',
    status: state.finished ?? ('running' as const),
    base: state.base,
    branch: state.branch,
  }
  return { makespanMs: now, state, events, manifest: searchManifest({ search, run, tasks }) }
}

type Options = {
  slots: number
  retries?: number
  maxPerEpic?: number | null
  budgetUsd?: number | null
  until?: number
}

/** What is the same however many ran at a time. */
export function timeless(manifest: Manifest): string {
  const without = new Set(['queued_at', 'started_at', 'finished_at', 'worker_pid', 'worktree'])
  return JSON.stringify(manifest, (name, value) => (without.has(name) ? undefined : value), 1)
}

/** A name for a tree or commit. */
export function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

/** A number below 1 that belongs to these words. */
export function chanceOf(...words: (string | number)[]): number {
  return createHash('sha1').update(words.join('\0')).digest().readUInt32LE() / 2 ** 32
}

export function makeSearch(more: Partial<Search> = {}, ideas = 4): Search {
  return {
    objective: 'a bigger number',
    ideas: Array.from({ length: ideas }, (_, n) => ({ path: `ideas/${n + 1}.md`, text: `idea ${n + 1}` })),
    propose: null,
    steps: [{ name: 'implement', work: { kind: 'command', command: 'true' } }],
    gates: [],
    score: { run: 'sh score.sh', goal: 'max', file: null, pattern: null, keys: [], rankedBy: 'score' },
    repeats: 1,
    beam: 3,
    depth: 2,
    minImprovement: { amount: 0, unit: 'absolute' },
    protected: [],
    onProtected: 'flag',
    eager: true,
    ...more,
  }
}

function endOf(search: Search, task: Task, attempt: number, end: Ended): Fact {
  const { ok, tree, score = 0, samples = [score], costUsd = 0 } = end
  const commit = ok ? hashOf(tree ?? `${task.id}/${attempt}`) : null
  const usage = { ...NO_USAGE, costUsd }
  const finished = { type: 'attempt.finished', task: task.id, attempt, usage, summary: null } as const
  if (!ok) {
    const failure = { reason: 'agent-failed', message: 'it failed' } as const
    return { ...finished, outcome: 'failed', commit, diff: null, failure }
  }
  const key = search.score.rankedBy
  const result = tree === undefined ? {} : { result: { tree, scores: { [key]: score }, samples: { [key]: samples } } }
  const diff = { files: 1, insertions: 1, deletions: 0 }
  if (task.search?.role === 'result')
    return { ...finished, outcome: 'no-change', commit: null, diff: null, failure: null }
  return { ...finished, outcome: 'changed', commit, diff, failure: null, ...result }
}
