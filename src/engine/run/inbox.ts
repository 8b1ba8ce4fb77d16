// Facts that wait for the next tick, and the run's wait for them.
import type { Fact } from '../../event.ts'

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

  /** Empties it. Notes and questions of agents come first: after the end of their attempt they would not count. */
  takeAll(): Fact[] {
    const facts = this.#facts.splice(0)
    const isOfAgent = ({ type }: Fact) => type === 'attempt.noted' || type === 'attempt.asked'
    return [...facts.filter(isOfAgent), ...facts.filter((fact) => !isOfAgent(fact))]
  }

  /** Ends the wait, even without a fact. */
  wake(): void {
    this.#wake?.()
  }

  /** Waits for the next fact or `wake`, ignoring present ones; null: without limit. */
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
