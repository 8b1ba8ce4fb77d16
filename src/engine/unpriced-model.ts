// Tells once in an attempt that a budget cannot count what its agent spends before the end: which model it uses is known only
// when it has started, and nobody knows the price of that one.
import type { AgentReader } from '../agents/agent.ts'
import { givePrice, priceOf } from '../agents/prices.ts'
import type { AttemptSpec } from './attempt-spec.ts'

export class UnpricedModel {
  readonly #spec: AttemptSpec
  #isKnown = false

  constructor(spec: AttemptSpec) {
    this.#spec = spec
  }

  /** After each line of its output. */
  look(reader: AgentReader): void {
    const { agent, budgets, model: asked, settings, progress } = this.#spec
    if (this.#isKnown || !agent.costAtEnd) return
    const model = reader.result(STILL_RUNNING).session?.model ?? null
    if (model === null) return
    this.#isKnown = true
    // Of the one it was asked to use that was said before the run began.
    if (model === asked || priceOf(model, settings.prices) || budgets.tightestUsd() === null) return
    progress(
      `its budget counts what it spends only when it ends: no price of its model ${model} is known. ${givePrice(model)}`,
    )
  }
}

const STILL_RUNNING = { code: null, signal: null }
