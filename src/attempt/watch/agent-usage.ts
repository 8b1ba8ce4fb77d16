// Reports of all processes of an attempt's agent, added up. While it works, its spending is reported if a budget counts it: the
// fact at the end has the total and takes the place of this, so a figure that comes late, or never, does no harm.
import type { Activity } from '../../agents/activity-counter.ts'
import type { AgentReader, AgentResult, UsageSoFar } from '../../agents/agent.ts'
import { givePrice, priceOf } from '../../agents/prices.ts'
import { TINY_USD } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import type { Failure, Session } from '../../event.ts'
import type { Task } from '../../task.ts'
import { addUsage, allTokens, costOf, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { AttemptContext } from '../attempt-context.ts'
import type { Conversation } from '../attempt-order.ts'
import { type CountedResult, sessionSoFar } from './usage-in-agent-files.ts'

export class AgentRecord {
  readonly #context: AttemptContext
  readonly #usage: ReportedUsage[] = []
  #turns = 0
  #toolCalls = 0
  #forgets = false
  #usageSeen: UsageSoFar | null = null
  #reportedAt = 0
  /** Includes reports to an earlier engine. */
  #reportedUsd: number
  #knowsModel = false
  /** The conversation of an interrupted attempt that the first process continues, and its cost by then. */
  continued: Conversation | null = null
  last: AgentResult | null = null
  /** The conversation, counted over all processes. */
  session: SoFar = null

  constructor(context: AttemptContext) {
    this.#context = context
    this.#reportedUsd = context.order.spentUsd
  }

  /** A model has answered, as far as the output tells. */
  get hasAsked(): boolean {
    return this.#turns + this.#toolCalls > 0 || Boolean(this.last?.summary ?? this.last?.final)
  }

  /** Number of processes that have ended. */
  get count(): number {
    return this.#usage.length
  }

  /** The conversation that the next process continues; null: it begins one. */
  get resumes(): string | null {
    return this.#forgets ? null : (this.session?.id ?? this.continued?.id ?? null)
  }

  /** Usage of all processes. `soFar`: of the one that runs now. */
  usage(soFar: UsageSoFar | null = null): Usage | null {
    const now = soFar ? [{ ...soFar, resumed: this.resumes !== null }] : []
    const parts = usageOfEach([...this.#usage, ...now], this.continued?.used)
    const model = this.session?.model ?? soFar?.model ?? null
    return parts.length === 0 ? null : parts.map((part) => priced(part, this.#context, model)).reduce(addUsage)
  }

  spentUsd(soFar: UsageSoFar | null = null): number {
    return this.usage(soFar)?.costUsd ?? 0
  }

  /** Why an agent that goes round in circles, or does more than its task lets it, has to be ended; null: it may continue. */
  looping({ activity }: { activity?: Done | undefined }, limits: Limits): Failure | null {
    if (!activity) return null
    const { maxTurns, maxToolCalls, maxRepeats = LIMITS.repeatedCalls } = limits
    if (maxTurns !== undefined && this.#turns + activity.turns > maxTurns)
      return looping(`took more than ${maxTurns} turns`, 'maxTurns')
    if (maxToolCalls !== undefined && this.#toolCalls + activity.toolCalls > maxToolCalls)
      return looping(`used its tools more than ${maxToolCalls} times`, 'maxToolCalls')
    if (maxRepeats === 0 || activity.repeats < maxRepeats) return null
    const message = `its agent made the same call of a tool ${maxRepeats} times in a row, so it was ended; \`espalier logs\` shows which. If that is normal for it, give it more with \`maxRepeats:\``
    return { reason: 'agent-looping', message }
  }

  /** Adds a process that has ended. */
  add({ result, own }: Pick<CountedResult, 'result' | 'own'>, { activity }: { activity?: Done | undefined }): void {
    this.#usage.push({ ...result, own, resumed: this.resumes !== null })
    this.#turns += activity?.turns ?? 0
    this.#toolCalls += activity?.toolCalls ?? 0
    this.session = joined(this.session, result.session)
    this.#forgets = result.forgets ?? false
    this.last = { ...result, summary: result.summary ?? this.last?.summary ?? null }
  }

  /**
   * Reports spending; call it after each line. `hasEnded`: whether the agent has ended by itself; only asked if there is
   * something to report.
   */
  reportSpending({ usageSoFar }: Pick<AgentReader, 'usageSoFar'>, hasEnded: () => boolean): void {
    if (!usageSoFar || usageSoFar === this.#usageSeen) return
    this.#usageSeen = usageSoFar
    const { tightestUsd, allowanceUsd } = this.#context.budget
    if (tightestUsd === null) return
    const costUsd = this.spentUsd(usageSoFar)
    const grownUsd = costUsd - this.#reportedUsd
    const isMuch = grownUsd >= tightestUsd * LIMITS.spentShare || costUsd >= (allowanceUsd ?? Infinity)
    const isLongAgo = Date.now() - this.#reportedAt >= LIMITS.spentEveryMs
    if (grownUsd <= TINY_USD || !(isMuch || isLongAgo) || hasEnded()) return
    this.#reportedAt = Date.now()
    this.#reportSpent(costUsd, {})
  }

  /** Reports spending of an agent that has ended: checks follow, which may take a while. */
  reportSpentAtEnd(): void {
    const costUsd = this.spentUsd()
    if (this.#context.budget.tightestUsd !== null && costUsd - this.#reportedUsd > TINY_USD)
      this.#reportSpent(costUsd, { ended: true })
  }

  #reportSpent(costUsd: number, end: { ended?: true }): void {
    const { host, order } = this.#context
    this.#reportedUsd = costUsd
    host.report({ type: 'attempt.spent', task: order.task.id, attempt: order.attempt, costUsd, ...end })
  }

  /**
   * Says once that a budget cannot count the spending before the end: the model is known only when it has started, and
   * its price is not known.
   */
  lookAtModel(reader: AgentReader): void {
    const { agent, budget, host, order } = this.#context
    if (this.#knowsModel || agent.cost !== 'reported-at-end') return
    const model = sessionSoFar(reader)?.model
    if (!model) return
    this.#knowsModel = true
    // For the model of the order that was said before the run began.
    if (model === order.model || priceOf(model, order.settings.prices) || budget.tightestUsd === null) return
    const why = `no price of its model ${model} is known. ${givePrice(model)}`
    host.progress(`its budget counts what it spends only when it ends: ${why}`)
  }
}

type SoFar = Omit<Session, 'agent'> | null

function joined(before: SoFar, now: SoFar): SoFar {
  if (!before || !now) return now ?? before
  const sum = (key: 'turns' | 'messages' | 'toolCalls') => before[key] + now[key]
  return { ...now, turns: sum('turns'), messages: sum('messages'), toolCalls: sum('toolCalls') }
}

/** `resumed`: the process continued the conversation of those before it. `own`: its own usage, if known. */
type ReportedUsage = Pick<AgentResult, 'usage' | 'countsConversation'> & { own?: Usage | null; resumed: boolean }

/**
 * Subtracts the earlier usage from that of a process that counted the whole conversation. `before`: usage of the
 * conversation that the first process continued.
 */
function usageOfEach(processes: readonly ReportedUsage[], before: Usage = NO_USAGE): Usage[] {
  const parts: Usage[] = []
  for (const { usage, countsConversation, own, resumed } of processes) {
    if (!resumed) before = NO_USAGE
    if (!usage) continue
    parts.push(own ?? (countsConversation ? usageSince(usage, before) : usage))
    before = countsConversation ? usage : addUsage(before, usage)
  }
  return parts
}

/** Adds the cost, by the price of the model, where the agent does not report it. */
function priced(usage: Usage, { agent, order }: AttemptContext, used: string | null): Usage {
  if (usage.costUsd !== 0) return usage
  const name = used ?? order.model
  const price = name === null ? null : priceOf(name, order.settings.prices)
  if (price) return { ...usage, costUsd: costOf(usage, price) }
  const isReported = agent.cost === 'reported' || agent.cost === 'reported-at-end'
  return isReported || allTokens(usage) === 0 ? usage : { ...usage, costUnknown: true }
}

type Done = Pick<Activity, 'turns' | 'toolCalls' | 'repeats'>

type Limits = Pick<Task, 'maxTurns' | 'maxToolCalls' | 'maxRepeats'>

function looping(what: string, field: string): Failure {
  return { reason: 'agent-looping', message: `its agent ${what}, so it was ended; give it more with \`${field}:\`` }
}
