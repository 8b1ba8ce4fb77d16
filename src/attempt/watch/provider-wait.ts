// An agent that waits for its provider by itself holds its slot and does nothing with it. For a short while that is
// better than to start it anew; after that it is ended, and the engine waits in its place. One that says that it will
// take longer is ended at once.
import type { AgentReader } from '../../agents/agent.ts'

export class ProviderWait {
  readonly #end: () => void
  readonly #over: AbortSignal
  #timer: NodeJS.Timeout | null = null
  /** It was ended for that, so that it ended says nothing about it. */
  hasEnded = false

  /** `over`: the agent has ended, or is not this engine's any more. */
  constructor(over: AbortSignal, end: () => void) {
    this.#end = () => {
      this.hasEnded = true
      end()
    }
    this.#over = over
    over.addEventListener('abort', () => this.#goesOn(), { once: true })
  }

  /** After every line of its output. */
  look({ isWaiting = false, waitsUntil = null }: AgentReader): void {
    if (!isWaiting || this.#over.aborted) this.#goesOn()
    else this.#timer ??= setTimeout(this.#end, isLong(waitsUntil) ? AT_ONCE_MS : WAITS_BY_ITSELF_MS)
  }

  #goesOn(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

function isLong(until: number | null): boolean {
  return until !== null && until - Date.now() > WAITS_BY_ITSELF_MS
}

const WAITS_BY_ITSELF_MS = 10_000
/** An engine that takes an agent over reads its output anew: what it says next may be there already. */
const AT_ONCE_MS = 1_000
