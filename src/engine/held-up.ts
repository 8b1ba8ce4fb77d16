// An agent that waits for its provider by itself holds its slot and does nothing with it. For a short while that is
// better than to start it anew; after that it is ended, and the engine waits in its place.
import type { AgentReader } from '../agents/agent.ts'

export class HeldUp {
  readonly #end: () => void
  readonly #over: AbortSignal
  #timer: NodeJS.Timeout | null = null

  /** `over`: the agent has ended, or is not this engine's any more. */
  constructor(over: AbortSignal, end: () => void) {
    this.#end = end
    this.#over = over
    over.addEventListener('abort', () => this.#goesOn(), { once: true })
  }

  /** After every line of its output. */
  look({ isHeldUp = false }: AgentReader): void {
    if (!isHeldUp || this.#over.aborted) this.#goesOn()
    else this.#timer ??= setTimeout(this.#end, WAITS_BY_ITSELF_MS)
  }

  #goesOn(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

const WAITS_BY_ITSELF_MS = 10_000
