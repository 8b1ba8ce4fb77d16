// One run as its journal tells it, for views that need more than how it stands now: its graph, its timeline, its landing queue,
// its claims. Read once and then kept up to date by what has been written since, because a journal of 10,000 tasks takes a second.
//
// Properties
// - It is what an engine would have replayed, up to an event, and never ahead of the journal.
// - It takes in a piece at a time and lets others have their turn in between: no request waits for a large run of another.
// - Two who ask at the same time take in the same events once.
import { setImmediate as turn } from 'node:timers/promises'
import type { Event, EventOf } from '../../event.ts'
import type { Failure } from '../../failure.ts'
import { ok, type Result } from '../../problem.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { usageOfRun } from '../../scheduler/budgets/accounts.ts'
import { emptyState, type RunState } from '../../scheduler/state.ts'
import type { PauseView } from '../../status.ts'
import { readEvents } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type PastVerification = {
  verification: number
  slot: number
  commit: string
  tasks: string[]
  startedAt: number
  finishedAt: number | null
  /** Null: it runs, or was halted. */
  passed: boolean | null
  cached: boolean
  failure: Failure | null
}
export type Landing = { at: number; commit: string; onto: string; tasks: string[] }
export type RefusedLanding = { at: number; tasks: string[]; failure: Failure; retry: boolean; waitsForPerson: boolean }
/** `until`: as long as was said; `endedAt`: null while it lasts. */
export type PausedAgent = Pick<PauseView, 'agent' | 'why' | 'until'> & { from: number; endedAt: number | null }
export type Gap = { from: number; to: number }

export class RunHistory {
  readonly run: string
  readonly #workspace: Workspace
  #state: RunState | null = null
  #last = 0
  #taking: Promise<Result<RunState | null>> | null = null
  readonly verifications = new Map<number, PastVerification>()
  readonly landings: Landing[] = []
  readonly refusals: RefusedLanding[] = []
  readonly pauses: PausedAgent[] = []
  /** Between two engines. */
  readonly gaps: Gap[] = []
  readonly slots: { at: number; slots: number }[] = []
  /** What had been spent by then. */
  readonly spent: { at: number; costUsd: number }[] = []
  /** What facts of the landing queue are made of. */
  readonly queueEvents: Event[] = []
  /** Another number when the plan or its order is another. */
  graphVersion = 0

  constructor(workspace: Workspace, run: string) {
    this.#workspace = workspace
    this.run = run
  }

  /** With all that is written by now. Null: it has not got as far as its first event. */
  state(): Promise<Result<RunState | null>> {
    this.#taking ??= this.#takeIn().finally(() => {
      this.#taking = null
    })
    return this.#taking
  }

  async #takeIn(): Promise<Result<RunState | null>> {
    for (;;) {
      const events = await readEvents(this.#workspace, { run: this.run, after: this.#last, atMost: PIECE })
      if (!events.ok) return events
      const [first] = events.value
      if (!this.#state && first?.type === 'run.started') {
        const plan = await this.#workspace.readViews(null, (views) => views.firstPlan(this.run))
        if (!plan.ok) return plan
        if (plan.value) this.#state = emptyState(plan.value, first.limits)
      }
      if (!this.#state) return ok(null)
      for (const event of events.value) this.#take(this.#state, event)
      if (events.value.length < PIECE) return ok(this.#state)
      await turn()
    }
  }

  #take(state: RunState, event: Event): void {
    const before = state.lastAt
    this.#state = apply(state, event)
    this.#state.changed.clear()
    this.#last = event.seq
    this.#note(this.#state, event, before)
    this.#notePauses(this.#state, event.at)
  }

  #note(state: RunState, event: Event, before: number): void {
    if (QUEUE_EVENTS.has(event.type)) this.queueEvents.push(event)
    switch (event.type) {
      case 'run.started':
        this.slots.push({ at: event.at, slots: event.limits.slots })
        break
      case 'run.resumed':
        this.#noteGap(before, event.at)
        this.slots.push({ at: event.at, slots: event.limits.slots })
        break
      case 'slots.changed':
        this.slots.push({ at: event.at, slots: event.slots })
        break
      case 'run.replanned':
        this.#noteGap(before, event.at)
        this.graphVersion++
        break
      case 'tasks.added':
      case 'priority.changed':
        this.graphVersion++
        break
      case 'attempt.spent':
      case 'attempt.finished':
      case 'attempt.late':
        this.#noteSpent(state, event.at)
        break
      case 'landing.verifying':
        this.verifications.set(event.verification, begun(event))
        break
      case 'landing.verified':
        end(this.verifications.get(event.verification), event)
        break
      case 'landing.landed':
        this.landings.push({ at: event.at, commit: event.commit, onto: event.onto, tasks: event.tasks })
        break
      case 'landing.refused': {
        const { at, tasks, failure, retry, conflict } = event
        this.refusals.push({ at, tasks, failure, retry, waitsForPerson: conflict?.by === 'person' })
        break
      }
      default:
    }
  }

  #noteSpent(state: RunState, at: number): void {
    const { costUsd } = usageOfRun(state)
    if (costUsd !== (this.spent.at(-1)?.costUsd ?? 0)) this.spent.push({ at, costUsd })
  }

  /** An engine that goes on with a run says so first; until then there was none. */
  #noteGap(from: number, to: number): void {
    if (to > from) this.gaps.push({ from, to })
  }

  /** That an agent is paused is no event: it follows from them. */
  #notePauses({ paused }: RunState, at: number): void {
    for (const open of this.pauses.filter(({ endedAt }) => endedAt === null)) {
      const now = paused.get(open.agent)
      if (now && !now.isOver) open.until = now.until
      else open.endedAt = now ? Math.min(now.until, at) : at
    }
    for (const [agent, { until, why, isOver }] of paused)
      if (!isOver && !this.pauses.some((one) => one.agent === agent && one.endedAt === null))
        this.pauses.push({ agent, why, until, from: at, endedAt: null })
  }
}

const PIECE = 1_000

const QUEUE_EVENTS: ReadonlySet<Event['type']> = new Set([
  ...(['landing.built', 'landing.verifying', 'landing.verified', 'landing.landed', 'landing.refused'] as const),
  'attempt.started', // work that was sent back is done again
])

function begun({ verification, slot, commit, tasks, at }: EventOf<'landing.verifying'>): PastVerification {
  const open = { finishedAt: null, passed: null, cached: false, failure: null }
  return { verification, slot, commit, tasks, startedAt: at, ...open }
}

function end(verification: PastVerification | undefined, { verdict, at }: EventOf<'landing.verified'>): void {
  if (!verification) return
  const { passed = null, cached = false, failure = null } = verdict ?? {}
  Object.assign(verification, { finishedAt: at, passed, cached, failure })
}
