// Plans and runs of the pure core for tests: a task is what differs from the plainest one.
import assert from 'node:assert/strict'
import type { Event, Fact, Limits } from '../../src/event.ts'
import { apply } from '../../src/scheduler/apply/apply.ts'
import { checkAdded } from '../../src/scheduler/apply/grow.ts'
import { type Decided, decide } from '../../src/scheduler/decide.ts'
import { emptyState, type RunState } from '../../src/scheduler/state.ts'
import { taskView } from '../../src/scheduler/view.ts'
import type { Claims, Plan, Task } from '../../src/task.ts'
import type { TaskView } from '../../src/view.ts'

export type Sketch = Partial<Omit<Task, 'claims'>> & { id: string; claims?: string[] | Partial<Claims> }

export function planOf(...sketches: Sketch[]): Plan {
  const epics = [...new Set(sketches.flatMap((sketch) => sketch.epic ?? []))]
  return {
    name: 'test',
    base: null,
    epics: epics.map((id) => ({ id, title: id, needs: [] })),
    tasks: sketches.map((sketch) => ({
      title: sketch.id,
      epic: null,
      needs: [],
      after: [],
      work: { kind: 'command', command: 'true' },
      verify: [],
      priority: 0,
      estimateMs: null,
      timeoutMs: 60_000,
      retries: 0,
      land: true,
      isolation: 'task',
      env: {},
      tags: [],
      ...sketch,
      claims: claimsOf(sketch.claims),
    })),
  }
}

export const LIMITS: Limits = {
  timeoutMs: 60_000,
  retries: 0,
  slots: 2,
  maxPerEpic: null,
  schedule: 'eager',
  strict: false,
  backoff: { initialMs: 1000, maxMs: 60_000 },
  onStall: 'report',
  claims: 'warn',
  landing: { verify: false, window: 1, allgreen: false, reruns: 0 },
  budget: { usd: null, onReached: 'finish' },
}

/** A run whose results the test gives, one by one. Everything ready is started as soon as it can be. */
export class Core {
  state: RunState
  readonly decisions: Decided[] = []
  readonly journal: Event[] = []
  now = 1_000_000
  #seq = 0
  #commits = 0

  constructor(plan: Plan, limits: Partial<Limits> = {}) {
    const all = { ...LIMITS, ...limits }
    this.state = emptyState(plan, all)
    this.tell({ type: 'run.started', base: commit(0), branch: 'espalier/test-1', seed: 7, limits: all })
  }

  /** Records a fact and makes every decision that follows from it. Landings succeed at once. */
  tell(fact: Fact): this {
    this.#apply(fact)
    for (let next = decide(this.state, this.now); next; next = decide(this.state, this.now)) {
      this.watch?.(next)
      this.decisions.push(next)
      this.#apply(next)
      if (next.type === 'landing.started' && this.landings === 'succeed') this.#land(next.items, next.onto)
    }
    return this
  }

  /** Epics that the run does not have yet come with their tasks. */
  add(...sketches: Sketch[]): this {
    const { tasks, epics } = planOf(...sketches)
    const added = { tasks, epics: epics.filter(({ id }) => !this.state.graph.epics.has(id)) }
    assert.deepEqual(checkAdded(this.state, added), [])
    return this.tell({ type: 'tasks.added', ...added })
  }

  landings: 'succeed' | 'wait' = 'succeed'
  /** Called before a decision is applied. */
  watch: ((decision: Decided) => void) | null = null

  #land(items: { tasks: string[] }[], onto: string): void {
    let head = onto
    for (const { tasks } of items) {
      const landed = commit(++this.#commits)
      this.#apply({ type: 'landing.landed', tasks, onto: head, commit: landed })
      head = landed
    }
  }

  succeed(task: string, changed = true): this {
    return this.#finish(task, {
      outcome: changed ? 'changed' : 'no-change',
      commit: changed ? commit(++this.#commits) : null,
      failure: null,
    })
  }

  fail(task: string): this {
    return this.#finish(task, { outcome: 'failed', commit: null, failure: { reason: 'agent-failed', message: 'no' } })
  }

  /** Ends an attempt that was told to stop. */
  stopped(task: string): this {
    const stop = this.decisions.findLast((decision) => decision.type === 'attempt.stopping' && decision.task === task)
    if (stop?.type !== 'attempt.stopping') throw new Error(`${task} was not told to stop`)
    const outcome = stop.reason === 'timeout' || stop.reason === 'stalled' ? 'timeout' : 'cancelled'
    return this.#finish(task, { outcome, commit: null, failure: { reason: stop.reason, message: stop.reason } })
  }

  wait(ms: number): this {
    this.now += ms
    for (let next = decide(this.state, this.now); next; next = decide(this.state, this.now)) {
      this.decisions.push(next)
      this.#apply(next)
    }
    return this
  }

  get running(): string[] {
    return this.views.filter((view) => view.status === 'running').map((view) => view.id)
  }

  get views(): TaskView[] {
    return this.state.graph.tasks.map((_, index) => taskView(this.state, index))
  }

  view(id: string): TaskView {
    const found = this.views.find((view) => view.id === id)
    if (!found) throw new Error(`no task ${id}`)
    return found
  }

  statuses(): Record<string, string> {
    return Object.fromEntries(this.views.map((view) => [view.id, view.status]))
  }

  #finish(
    task: string,
    end: Pick<Extract<Fact, { type: 'attempt.finished' }>, 'outcome' | 'commit' | 'failure'>,
  ): this {
    return this.tell({
      type: 'attempt.finished',
      task,
      attempt: this.view(task).attempts,
      diff: null,
      usage: null,
      summary: null,
      ...end,
    })
  }

  #apply(fact: Fact): void {
    const event: Event = { ...fact, seq: ++this.#seq, at: this.now }
    this.journal.push(event)
    this.state = apply(this.state, event)
  }
}

function claimsOf(claims: Sketch['claims']): Claims {
  if (Array.isArray(claims)) return { write: claims, read: [] }
  return { write: claims?.write ?? [], read: claims?.read ?? [] }
}

function commit(n: number): string {
  return n.toString(16).padStart(40, '0')
}
