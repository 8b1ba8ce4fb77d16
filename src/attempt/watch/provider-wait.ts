// An agent that waits for its provider by itself holds its slot and does nothing with it. For a while that is better than
// to start the agent anew; when the patience of its agent is over it is ended, and the engine waits in its place. An agent
// that says that it will take longer, or that waits for what no waiting brings, is ended at once.
import type { AgentReader } from '../../agents/agent.ts'

export class ProviderWait {
  readonly #end: () => void
  readonly #over: AbortSignal
  #timer: NodeJS.Timeout | null = null
  #endsAtOnce = false
  /** The agent was ended for waiting, so its exit says nothing about its work. */
  hasEnded = false

  readonly #patienceMs: number

  /** `over`: the agent has ended, or is left to the next engine. */
  constructor(patienceMs: number, over: AbortSignal, end: () => void) {
    this.#patienceMs = patienceMs
    this.#end = () => {
      this.hasEnded = true
      end()
    }
    this.#over = over
    over.addEventListener('abort', () => this.#continues(), { once: true })
  }

  /** To be called after every line of the agent's output. */
  look({ isWaiting = false, waitsUntil = null }: AgentReader): void {
    if (!isWaiting || this.#over.aborted) {
      this.#continues()
      return
    }
    const isLong = this.#isLong(waitsUntil)
    if (this.#timer && (this.#endsAtOnce || !isLong)) return
    this.#continues()
    this.#endsAtOnce = isLong
    this.#timer = setTimeout(this.#end, isLong ? AT_ONCE_MS : this.#patienceMs)
  }

  #isLong(until: number | null): boolean {
    return until !== null && until - Date.now() > this.#patienceMs
  }

  #continues(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** An engine that takes over an agent reads its output from the start: what the agent says next may be there already. */
const AT_ONCE_MS = 1_000
