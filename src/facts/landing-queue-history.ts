// Verifications, landings and refusals of a run, folded once from its journal. Results of tasks and attempts are in their views.
import type { Event, EventOf, Failure } from '../event.ts'

export type PastVerification = Pick<EventOf<'landing.verifying'>, 'verification' | 'slot' | 'commit' | 'tasks'> & {
  startedAt: number
  finishedAt: number | null
  /** Null: it runs, or was halted. */
  passed: boolean | null
  cached: boolean
  /** It failed, and then the same commit passed. */
  flake: boolean
  /** Null: no verdict. */
  durationMs: number | null
  failure: Failure | null
}
/** Work that failed verification on the branch. `again`: it was done again. */
export type Culprit = { tasks: string[]; at: number; failure: Failure; again: boolean }

/** A batch of the landing queue, with the work that was merged on top of it during its verification. */
type PastBatch = {
  at: number
  tasks: string[]
  verifications: PastVerification[]
  landed: string[]
  sentBack: string[]
  commits: Set<string>
  top: string
}

type Refusal = Pick<EventOf<'landing.refused'>, 'at' | 'tasks' | 'failure' | 'retry'> & { waitsForPerson: boolean }

export class RunHistory {
  readonly verifications = new Map<number, PastVerification>()
  readonly landings: Pick<EventOf<'landing.landed'>, 'at' | 'commit' | 'onto' | 'tasks'>[] = []
  readonly refusals: Refusal[] = []
  readonly batches: PastBatch[] = []
  readonly culprits: Culprit[] = []

  static of(events: readonly Event[]): RunHistory {
    const history = new RunHistory()
    for (const event of events) history.take(event)
    return history
  }

  /** In the order of the journal, from its first event on. */
  take(event: Event): void {
    switch (event.type) {
      case 'attempt.started':
        for (const culprit of this.culprits) if (culprit.tasks.includes(event.task)) culprit.again = true
        break
      case 'landing.built':
        this.#noteBatch(event)
        break
      case 'landing.verifying': {
        const { verification, slot, commit, tasks, at: startedAt } = event
        const open = { finishedAt: null, passed: null, cached: false, flake: false, durationMs: null, failure: null }
        const started = { verification, slot, commit, tasks, startedAt, ...open }
        this.verifications.set(verification, started)
        this.batches.at(-1)?.verifications.push(started)
        break
      }
      case 'landing.verified':
        this.#noteVerdict(event)
        break
      case 'landing.landed': {
        const { at, commit, onto, tasks } = event
        this.landings.push({ at, commit, onto, tasks })
        const batch = this.batches.at(-1)
        if (batch?.commits.has(commit)) batch.landed.push(...tasks)
        break
      }
      case 'landing.refused': {
        const { at, tasks, failure, retry, conflict } = event
        this.refusals.push({ at, tasks, failure, retry, waitsForPerson: conflict?.by === 'person' })
        if (failure.reason !== 'landing-failed') break
        this.culprits.push({ tasks, at, failure, again: false })
        this.batches.at(-1)?.sentBack.push(...tasks)
      }
    }
  }

  #noteBatch({ items, onto, at }: EventOf<'landing.built'>): void {
    const top = items.at(-1)?.commit
    if (top === undefined) return
    const batch = this.batches.at(-1)
    const tasks = items.flatMap((item) => item.tasks)
    const commits = items.map((item) => item.commit)
    if (batch?.top !== onto || batch.landed.length === batch.tasks.length)
      this.batches.push({ at, tasks, verifications: [], landed: [], sentBack: [], commits: new Set(commits), top })
    else {
      batch.tasks.push(...tasks)
      for (const commit of commits) batch.commits.add(commit)
      batch.top = top
    }
  }

  #noteVerdict({ verification: number, verdict, at }: EventOf<'landing.verified'>): void {
    const verification = this.verifications.get(number)
    if (!verification) return
    const { passed = null, cached = false, durationMs = null, failure = null } = verdict ?? {}
    Object.assign(verification, { finishedAt: at, passed, cached, durationMs, failure })
    if (passed)
      for (const earlier of this.verifications.values())
        if (earlier.commit === verification.commit && earlier.passed === false) earlier.flake = true
  }
}
