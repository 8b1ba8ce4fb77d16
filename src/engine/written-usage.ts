// Looks up every few seconds, while an agent works, what it has used so far in the files of its conversation: for one whose
// output does not tell before the end, and only where a budget counts it.
import type { AgentReader, UsageSoFar } from '../agents/agent.ts'
import type { AttemptSpec } from './attempt-spec.ts'
import type { IterationFolder } from './state-folder.ts'
import { usageOnDisk, withModelOnDisk } from './usage-on-disk.ts'

export class WrittenUsage {
  readonly #spec: AttemptSpec
  readonly #iteration: IterationFolder
  readonly #over: AbortSignal
  readonly #tell: (soFar: UsageSoFar) => void
  #timer: NodeJS.Timeout | null = null

  /** `over`: the agent has ended, or is not this engine's any more. */
  constructor(spec: AttemptSpec, iteration: IterationFolder, over: AbortSignal, tell: (soFar: UsageSoFar) => void) {
    this.#spec = spec
    this.#iteration = iteration
    this.#over = over
    this.#tell = tell
    over.addEventListener('abort', () => clearTimeout(this.#timer ?? undefined), { once: true })
  }

  /** After every line of its output: from the first on there may be something. */
  look(reader: AgentReader): void {
    const { agent, budgets } = this.#spec
    // One that tells what it costs tells it while it works.
    const isTold = agent.counters.cost !== 'none'
    if (this.#timer || isTold || !agent.usageOnDisk || budgets.tightestUsd() === null) return
    this.#lookIn(0, reader)
  }

  #lookIn(ms: number, reader: AgentReader): void {
    if (!this.#over.aborted) this.#timer = setTimeout(() => void this.#lookUp(reader), ms)
  }

  async #lookUp(reader: AgentReader): Promise<void> {
    const { session } = await withModelOnDisk(reader.result(STILL_RUNNING), this.#spec, this.#iteration)
    const usage = session && (await usageOnDisk(this.#spec, this.#iteration, session.id))
    if (usage && !this.#over.aborted) this.#tell({ usage, model: session.model })
    this.#lookIn(EVERY_MS, reader)
  }
}

const STILL_RUNNING = { code: null, signal: null }
const EVERY_MS = 3_000
