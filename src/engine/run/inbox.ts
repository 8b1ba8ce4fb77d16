// The facts that have come back and wait for the next tick, and what the run waits with until then.
import type { Fact } from '../../event.ts'
import { isHeard } from '../../scheduler/apply/agent-notes.ts'
import { isAnswer } from '../../scheduler/landing/conflict.ts'
import { type RunState, record } from '../../scheduler/state.ts'

export class Inbox {
  #facts: Fact[] = []
  #wake: (() => void) | null = null

  get isEmpty(): boolean {
    return this.#facts.length === 0
  }

  has(type: Fact['type']): boolean {
    return this.#facts.some((fact) => fact.type === type)
  }

  push(fact: Fact): void {
    this.#facts.push(fact)
    this.wake()
  }

  /** Empties it. What agents note and ask comes first: after the end of their attempt it would not count. */
  takeAll(): Fact[] {
    const facts = this.#facts.splice(0)
    const isOfAgent = ({ type }: Fact) => type === 'attempt.noted' || type === 'attempt.asked'
    return [...facts.filter(isOfAgent), ...facts.filter((fact) => !isOfAgent(fact))]
  }

  /** Whoever waits goes on, although there may be no fact. */
  wake(): void {
    this.#wake?.()
  }

  /** Until the next fact or `wake`, whatever is in it already; at most this long, where it is not null. */
  async wait(mostMs: number | null): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (mostMs !== null) timer = setTimeout(resolve, Math.min(Math.max(0, mostMs), MAX_TIMER_MS))
    })
    clearTimeout(timer)
    this.#wake = null
  }
}

const MAX_TIMER_MS = 60_000

// Facts that come too late, or a second time, are not written to the journal.

/** A result of an attempt that is not the one alive is refused (I2), and so is what is known of it already. */
export function isStale(state: RunState, fact: Fact): boolean {
  if (fact.type === 'task.resolved') return !isAnswer(state, fact)
  if (fact.type === 'claims.held') return state.holds.has(fact.hold)
  if (fact.type === 'claims.released') return !state.holds.has(fact.hold)
  if (fact.type === 'attempt.noted' || fact.type === 'attempt.asked') return !isHeard(state, fact)
  if (!OF_ONE_ATTEMPT.has(fact.type) || !('task' in fact && 'attempt' in fact)) return false
  const current = record(state, state.graph.taskIndex.get(fact.task) ?? -1).state
  if (current.status !== 'running' || current.attempt !== fact.attempt) return true
  if (fact.type === 'attempt.stalled') return current.stalledSince !== null || current.stopping !== null
  return fact.type === 'attempt.stirred' && current.stalledSince === null && current.stopping !== 'budget'
}

const OF_ONE_ATTEMPT: ReadonlySet<Fact['type']> = new Set([
  'attempt.finished',
  'attempt.stalled',
  'attempt.stirred',
  'attempt.spent',
])
