// Ends an agent that waits for its provider for too long: it holds its slot and does nothing with it. For a while that
// is better than to start the agent anew; after the agent's patience the engine waits in its place. An agent that says
// that it will take longer, or that waits for what no waiting brings, is ended at once.
import type { AgentReader } from '../../agents/agent.ts'

export class ProviderWait {
  readonly #patienceMs: number
  readonly #over: AbortSignal
  readonly #end: () => void
  #timer: NodeJS.Timeout | null = null
  #endsAtOnce = false
  /** The agent was ended for waiting, so its exit says nothing about its work. */
  hasEnded = false

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

  /** Call it after every line of output. */
  look({ isWaiting = false, waitsUntil = null }: AgentReader): void {
    if (!isWaiting || this.#over.aborted) {
      this.#continues()
      return
    }
    const isLong = waitsUntil !== null && waitsUntil - Date.now() > this.#patienceMs
    if (this.#timer && (this.#endsAtOnce || !isLong)) return
    this.#continues()
    this.#endsAtOnce = isLong
    this.#timer = setTimeout(this.#end, isLong ? AT_ONCE_MS : this.#patienceMs)
  }

  #continues(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** An engine that takes over reads the output from the start: the agent's next words may be there already. */
const AT_ONCE_MS = 1_000
