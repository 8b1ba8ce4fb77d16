// The common part of readers of all protocols: the conversation, its last message and the agent's activity.
import type { Failure } from '../event.ts'
import { cut } from '../text/cut.ts'
import { Activity } from './activity.ts'
import type { AgentReader, AgentResult, ProcessEnd, UsageSoFar } from './agent.ts'
import type { Json } from './json-line.ts'
import { toolTarget } from './transcript.ts'

export abstract class ProtocolReader implements AgentReader {
  readonly activity = new Activity()
  usageSoFar: UsageSoFar | null = null
  protected session: AgentResult['session'] = null
  /** Last message, and its beginning. */
  protected final = ''
  protected summary = ''

  abstract line(text: string): string | null
  abstract result(end: ProcessEnd): AgentResult

  protected begin(id: string | null, model: string | null = null): void {
    if (id && id !== this.session?.id) this.session = { id, model, turns: 0, messages: 0, toolCalls: 0 }
  }

  /** A message of the model, or the next piece of one. */
  protected message(text: string, continues = false): void {
    if (this.session && !continues) this.session.messages++
    this.final = continues ? (this.final + text).slice(-FINAL_CHARS) : text
    this.summary = cut(this.final.trim(), SUMMARY_CHARS)
  }

  /** `words`: as in `Activity.call`. */
  protected call(words: string | null): void {
    if (this.session) this.session.toolCalls++
    this.activity.call(words)
  }

  /** The failure of a process without a last word: whatever its exit status says, its work may not be done. */
  protected unfinished(program: string, { code, signal }: ProcessEnd): Failure {
    const last = this.summary ? `; it said: ${this.summary}` : ''
    if (signal !== null) return { reason: 'agent-crashed', message: `${program} was ended by ${signal}${last}` }
    const message = `${program} exited with status ${code} and no result${last}`
    return { reason: code === 0 ? 'agent-crashed' : 'agent-failed', message }
  }

  /** The part of a result that does not depend on how the process ended. */
  protected get said(): Pick<AgentResult, 'summary' | 'final' | 'session' | 'limited'> {
    return { summary: this.summary || null, final: this.final || null, session: this.session, limited: null }
  }
}

/** `Write src/a.ts` */
export function toolLine(tool: string | null, input: Json | null): string {
  return cut(`${tool ?? 'tool'} ${toolTarget(input) ?? ''}`.trim(), SUMMARY_CHARS)
}

export const SUMMARY_CHARS = 2_000
/** For a message that never ends. */
const FINAL_CHARS = 100_000
