// An agent that waits for its provider by itself holds its slot and does nothing with it. For a short while that is
// better than to start the agent anew; after that the agent is ended, and the engine waits in its place. An agent that
// says that it will take longer is ended at once.
import type { AgentReader } from '../../agents/agent.ts'

export class ProviderWait {
  readonly #end: () => void
  readonly #over: AbortSignal
  #timer: NodeJS.Timeout | null = null
  /** The agent was ended for waiting, so its exit says nothing about its work. */
  hasEnded = false

  /** `over`: the agent has ended, or is left to the next engine. */
  constructor(over: AbortSignal, end: () => void) {
    this.#end = () => {
      this.hasEnded = true
      end()
    }
    this.#over = over
    over.addEventListener('abort', () => this.#continues(), { once: true })
  }

  /** To be called after every line of the agent's output. */
  look({ isWaiting = false, waitsUntil = null }: AgentReader): void {
    if (!isWaiting || this.#over.aborted) this.#continues()
    else this.#timer ??= setTimeout(this.#end, isLong(waitsUntil) ? AT_ONCE_MS : WAITS_BY_ITSELF_MS)
  }

  #continues(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

function isLong(until: number | null): boolean {
  return until !== null && until - Date.now() > WAITS_BY_ITSELF_MS
}

const WAITS_BY_ITSELF_MS = 10_000
/** An engine that takes over an agent reads its output from the start: what the agent says next may be there already. */
const AT_ONCE_MS = 1_000
