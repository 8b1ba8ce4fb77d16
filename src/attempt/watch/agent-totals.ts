// Reports of all processes of an attempt's agent, added up.
import type { AgentReader, AgentResult, UsageSoFar } from '../../agents/agent.ts'
import { priceOf } from '../../agents/prices.ts'
import { LIMITS } from '../../config.ts'
import type { Failure, Session } from '../../event.ts'
import type { Task } from '../../task.ts'
import { addUsage, allTokens, costOf, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { AttemptContext } from '../attempt-context.ts'
import type { Conversation } from '../attempt-order.ts'
import type { CountedResult } from './usage-in-agent-files.ts'

export class AgentRecord {
  readonly #usage: ReportedUsage[] = []
  #turns = 0
  #toolCalls = 0
  #session: Omit<Session, 'agent'> | null = null
  #forgets = false
  #last: AgentResult | null = null
  #continued: Conversation | null = null

  /** The first process continues the conversation of an interrupted attempt. */
  continue(conversation: Conversation): void {
    this.#continued = conversation
  }

  /** The conversation that the attempt began with, and its cost by then. */
  get continued(): Conversation | null {
    return this.#continued
  }

  /** A model has answered, as far as the output tells. */
  get hasAsked(): boolean {
    return this.#turns + this.#toolCalls > 0 || Boolean(this.#last?.summary ?? this.#last?.final)
  }

  /** Number of processes that have ended. */
  get count(): number {
    return this.#usage.length
  }

  get last(): AgentResult | null {
    return this.#last
  }

  /** The conversation, counted over all processes. */
  get session(): Omit<Session, 'agent'> | null {
    return this.#session
  }

  /** The conversation that the next process continues; null: it begins one. */
  get resumes(): string | null {
    return this.#forgets ? null : (this.#session?.id ?? this.#continued?.id ?? null)
  }

  /** Usage of all processes. `soFar`: of the one that runs now. */
  usage(context: AttemptContext, soFar: UsageSoFar | null = null): Usage | null {
    const now = soFar ? [{ ...soFar, resumed: this.resumes !== null }] : []
    const parts = usageOfEach([...this.#usage, ...now], this.#continued?.used)
    const model = this.#session?.model ?? soFar?.model ?? null
    return parts.length === 0 ? null : parts.map((part) => priced(part, context, model)).reduce(addUsage)
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
  add({ result, own }: CountedResult, { activity }: AgentReader): void {
    this.#usage.push({ ...result, own, resumed: this.resumes !== null })
    this.#turns += activity?.turns ?? 0
    this.#toolCalls += activity?.toolCalls ?? 0
    this.#session = joined(this.#session, result.session)
    this.#forgets = result.forgets ?? false
    this.#last = { ...result, summary: result.summary ?? this.#last?.summary ?? null }
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
export function usageOfEach(processes: readonly ReportedUsage[], before: Usage = NO_USAGE): Usage[] {
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

/** Of one process. */
type Done = { turns: number; toolCalls: number; repeats: number }

type Limits = Pick<Task, 'maxTurns' | 'maxToolCalls' | 'maxRepeats'>

function looping(what: string, field: string): Failure {
  return { reason: 'agent-looping', message: `its agent ${what}, so it was ended; give it more with \`${field}:\`` }
}
