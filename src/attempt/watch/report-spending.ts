// Reports spending while the agent is at work, if a budget counts it. The fact at the end has the total and takes the
// place of this, so a figure that comes late, or never, does no harm.
import type { AgentReader, UsageSoFar } from '../../agents/agent.ts'
import { givePrice, priceOf } from '../../agents/prices.ts'
import { TINY_USD } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import type { AttemptContext } from '../attempt-context.ts'
import type { AgentRecord } from './agent-totals.ts'

export class SpendingWatch {
  readonly #context: AttemptContext
  #seen: UsageSoFar | null = null
  #reportedAt = 0
  /** Includes reports to an earlier engine. */
  #reportedUsd: number
  #knowsModel = false

  constructor(context: AttemptContext) {
    this.#context = context
    this.#reportedUsd = context.order.spentUsd
  }

  /**
   * Call it after each line. `hasEnded`: whether the agent has ended by itself; only asked if there is something to
   * report.
   */
  look(record: AgentRecord, { usageSoFar }: Pick<AgentReader, 'usageSoFar'>, hasEnded: () => boolean): void {
    if (!usageSoFar || usageSoFar === this.#seen) return
    this.#seen = usageSoFar
    const { tightestUsd, allowanceUsd } = this.#context.budget
    if (tightestUsd === null) return
    const costUsd = spentBy(record, this.#context, usageSoFar)
    const grownUsd = costUsd - this.#reportedUsd
    const isMuch = grownUsd >= tightestUsd * LIMITS.spentShare || costUsd >= (allowanceUsd ?? Infinity)
    const isLongAgo = Date.now() - this.#reportedAt >= LIMITS.spentEveryMs
    if (grownUsd <= TINY_USD || !(isMuch || isLongAgo) || hasEnded()) return
    this.#reportedAt = Date.now()
    this.#report(costUsd, {})
  }

  /** The agent has ended, and checks follow, which may take a while. */
  ended(record: AgentRecord): void {
    if (this.#context.budget.tightestUsd === null) return
    const costUsd = spentBy(record, this.#context)
    if (costUsd - this.#reportedUsd > TINY_USD) this.#report(costUsd, { ended: true })
  }

  /**
   * Says once that a budget cannot count the spending before the end: the model is known only when it has started, and
   * its price is not known.
   */
  lookAtModel(reader: AgentReader): void {
    const { agent, budget, host, order } = this.#context
    if (this.#knowsModel || agent.cost !== 'reported-at-end') return
    const model = reader.result(STILL_RUNNING).session?.model
    if (!model) return
    this.#knowsModel = true
    // For the model of the order that was said before the run began.
    if (model === order.model || priceOf(model, order.settings.prices) || budget.tightestUsd === null) return
    const why = `no price of its model ${model} is known. ${givePrice(model)}`
    host.progress(`its budget counts what it spends only when it ends: ${why}`)
  }

  #report(costUsd: number, end: { ended?: true }): void {
    const { host, order } = this.#context
    this.#reportedUsd = costUsd
    host.report({ type: 'attempt.spent', task: order.task.id, attempt: order.attempt, costUsd, ...end })
  }
}

export function spentBy(record: AgentRecord, context: AttemptContext, soFar: UsageSoFar | null = null): number {
  return record.usage(context, soFar)?.costUsd ?? 0
}

const STILL_RUNNING = { code: null, signal: null }
