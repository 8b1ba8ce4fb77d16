// What the processes of an attempt's agent have told, one after the other, and what it amounts to for all of them.
import type { AgentReader, AgentResult, Counters, UsageSoFar } from '../agents/agent.ts'
import type { Failure } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Task } from '../task.ts'
import type { Usage } from '../usage.ts'
import { type ToldUsage, usageOfAll } from './iteration-usage.ts'
import { loopingFailure } from './looping.ts'

export class Told {
  readonly #usage: ToldUsage[] = []
  #turns = 0
  #toolCalls = 0
  #session: Omit<Session, 'agent'> | null = null
  #forgets = false
  #last: AgentResult | null = null

  /** How many processes have told something. */
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

  /** The conversation that the next process goes on with; null: it begins one. */
  get resumes(): string | null {
    return this.#forgets ? null : (this.#session?.id ?? null)
  }

  /** `soFar`: of the process that runs now. */
  usage(counters: Counters, soFar: UsageSoFar | null = null): Usage | null {
    if (!soFar) return usageOfAll(this.#usage, counters)
    const now = { usage: soFar.usage, resumed: this.resumes !== null && !soFar.isAlone }
    return usageOfAll([...this.#usage, now], counters)
  }

  /** Whether the one that `reader` reads has to be ended. */
  looping({ activity }: AgentReader, task: Task): Failure | null {
    if (!activity) return null
    const { turns, toolCalls, repeats } = activity
    return loopingFailure(task, { turns: this.#turns + turns, toolCalls: this.#toolCalls + toolCalls, repeats })
  }

  /** The next process has ended. It was asked to go on with the conversation, if there was one. */
  add(result: AgentResult, { activity }: AgentReader): void {
    this.#usage.push({ usage: result.usage, resumed: this.resumes !== null && !result.isUsageAlone })
    this.#turns += activity?.turns ?? 0
    this.#toolCalls += activity?.toolCalls ?? 0
    this.#session = joined(this.#session, result.session)
    this.#forgets = result.forgets ?? false
    this.#last = { ...result, summary: result.summary ?? this.#last?.summary ?? null }
  }
}

type Conversation = Omit<Session, 'agent'> | null

function joined(before: Conversation, now: Conversation): Conversation {
  if (!before || !now) return now ?? before
  const sum = (key: 'turns' | 'messages' | 'toolCalls') => before[key] + now[key]
  return { ...now, turns: sum('turns'), messages: sum('messages'), toolCalls: sum('toolCalls') }
}
