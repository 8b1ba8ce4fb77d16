// Tells what an attempt has spent while its agent is at work, where a budget counts it. What it used in all is told
// when it ends, and takes the place of this: so a figure that comes late, or never, does no harm.
import type { AgentReader, UsageSoFar } from '../../agents/agent.ts'
import { givePrice, priceOf } from '../../agents/prices.ts'
import { TINY_USD } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import { type AttemptSpec, priced } from '../order.ts'
import type { AgentRecord } from './agent-record.ts'

export class SpendingWatch {
  readonly #spec: AttemptSpec
  #seen: UsageSoFar | null = null
  #toldAt = 0

  constructor(spec: AttemptSpec) {
    this.#spec = spec
  }

  /** After each line. `hasEnded`: its agent, by itself; only asked where there is something to tell. */
  look(record: AgentRecord, { usageSoFar }: Pick<AgentReader, 'usageSoFar'>, hasEnded: () => boolean): void {
    if (!usageSoFar || usageSoFar === this.#seen) return
    this.#seen = usageSoFar
    const tightestUsd = this.#spec.budgets.tightestUsd()
    if (tightestUsd === null) return
    const costUsd = spentBy(record, this.#spec, usageSoFar)
    const grownUsd = costUsd - this.#lastUsd()
    const isMuch =
      grownUsd >= tightestUsd * LIMITS.spentShare || costUsd >= (this.#spec.budgets.allowanceUsd() ?? Infinity)
    const isLongAgo = Date.now() - this.#toldAt >= LIMITS.spentEveryMs
    if (grownUsd <= TINY_USD || !(isMuch || isLongAgo) || hasEnded()) return
    this.#toldAt = Date.now()
    this.#spec.budgets.spent(costUsd, false)
  }

  /** Its agent has ended, and checks follow, which may take a while. */
  ended(record: AgentRecord): void {
    if (this.#spec.budgets.tightestUsd() === null) return
    const costUsd = spentBy(record, this.#spec)
    if (costUsd - this.#lastUsd() > TINY_USD) this.#spec.budgets.spent(costUsd, true)
  }

  /** Also what an engine before this one was told. */
  #lastUsd(): number {
    return this.#spec.view()?.spentUsd ?? 0
  }
}

/** By all processes of its agent so far. */
export function spentBy(record: AgentRecord, spec: AttemptSpec, soFar: UsageSoFar | null = null): number {
  const usage = record.usage(spec.agent.counters, soFar)
  return usage ? priced(usage, spec, record.session?.model ?? soFar?.model ?? null).costUsd : 0
}

// Tells once in an attempt that a budget cannot count what its agent spends before the end: which model it uses is known only
// when it has started, and nobody knows the price of that one.

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
