// The replayed journal of one run, for its forecast, landing queue and claims. Read once and then kept up to date, because a
// journal of 10,000 tasks takes a second.
//
// Properties
// - Its state is what an engine would have replayed, and never ahead of the journal.
// - It reads in pieces and yields in between: no request waits for a large run of another.
// - Two requests at the same time read the same events once.
import { setImmediate as turn } from 'node:timers/promises'
import { type Event, type EventType, startOf } from '../../event.ts'
import { RunHistory } from '../../facts/landing-queue-history.ts'
import { ok, type Result } from '../../problem.ts'
import { apply } from '../../scheduler/apply/apply.ts'
import { usageOfRun } from '../../scheduler/budgets/accounts.ts'
import { emptyState, type RunState } from '../../scheduler/state.ts'
import { readEvents } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Project } from '../projects/projects.ts'

export class FollowedRun extends RunHistory {
  readonly run: string
  readonly #workspace: Workspace
  #state: RunState | null = null
  #last = 0
  #taking: Promise<Result<RunState | null>> | null = null
  /** The total spent by each time. */
  readonly spent: { at: number; costUsd: number }[] = []

  constructor(workspace: Workspace, run: string) {
    super()
    this.#workspace = workspace
    this.run = run
  }

  /** The state with all events written by now. Null: the run has no events yet. */
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
      const first = this.#state ? null : startOf(events.value)
      if (first) {
        const plan = await this.#workspace.readViews(null, (views) => views.firstPlan(this.run))
        if (!plan.ok) return plan
        if (plan.value) this.#state = emptyState(plan.value, first.limits)
      }
      if (!this.#state) return ok(null)
      for (const event of events.value) this.take(event)
      if (events.value.length < PIECE) return ok(this.#state)
      await turn()
    }
  }

  override take(event: Event): void {
    if (this.#state) {
      this.#state = apply(this.#state, event)
      this.#state.changed.clear()
      if (SPENDING.has(event.type)) this.#noteSpent(this.#state, event.at)
    }
    this.#last = event.seq
    super.take(event)
  }

  #noteSpent(state: RunState, at: number): void {
    const { costUsd } = usageOfRun(state)
    if (costUsd !== (this.spent.at(-1)?.costUsd ?? 0)) this.spent.push({ at, costUsd })
  }
}

const SPENDING: ReadonlySet<EventType> = new Set(['attempt.spent', 'attempt.finished', 'attempt.late'])
const PIECE = 1_000

export class RunHistories {
  readonly #known = new Map<string, FollowedRun>()

  /** `startedAt` tells runs of the same id apart: a state folder may be removed and made anew. */
  of({ repo, workspace }: Project, { run, startedAt }: { run: string; startedAt: number }): FollowedRun {
    const key = `${repo}\n${run}\n${startedAt}`
    const history = this.#known.get(key) ?? new FollowedRun(workspace, run)
    this.#known.delete(key) // the newest are last
    this.#known.set(key, history)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
    return history
  }
}

/** Most runs in memory: one of 10,000 tasks takes some 50 MB. */
const MOST = 6
