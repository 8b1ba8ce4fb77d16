// The common part of readers of all protocols: the conversation, its last message and the agent's activity.
import type { Failure } from '../event.ts'
import { cut } from '../text/cut.ts'
import { Activity } from './activity-counter.ts'
import type { AgentReader, AgentResult, ProcessEnd, UsageSoFar } from './agent.ts'
import type { Prices } from './prices.ts'
import type { heldUp } from './provider-trouble.ts'
import { type Json, jsonLine } from './read-json-fields.ts'
import type { Part, PartsOf } from './transcript.ts'

export abstract class ProtocolReader implements AgentReader {
  readonly activity = new Activity()
  usageSoFar: UsageSoFar | null = null
  protected session: AgentResult['session'] = null
  /** Last message, and its beginning. */
  protected final = ''
  protected summary = ''
  /** The wait for its provider, from the words it began with on. */
  protected waiting: Parameters<typeof heldUp>[0] | null = null

  readonly #partsOf: PartsOf

  protected readonly prices: Prices | undefined

  constructor(partsOf: PartsOf, prices?: Prices) {
    this.#partsOf = partsOf
    this.prices = prices
  }

  get isWaiting(): boolean {
    return this.waiting !== null
  }

  get waitsUntil(): number | null {
    return this.waiting?.until ?? null
  }

  /** Takes a line in, and returns what a person is told of it meanwhile. A result is nothing new. */
  line(text: string): string | null {
    const line = jsonLine(text)
    if (line) this.take(line)
    else this.log(text)
    const parts = line ? this.#partsOf(line) : []
    if (parts.some(({ kind }) => kind === 'result')) return null
    return parts.map((part) => this.#textOf(part)).find((said) => said !== '') ?? null
  }

  protected abstract take(line: Json): void

  /** Takes in a line that is no part of the protocol. */
  protected log(_text: string): void {}

  abstract result(end: ProcessEnd): AgentResult

  #textOf(part: Part): string {
    if (part.kind === 'result') return ''
    if (part.kind === 'said' && part.piece) return this.summary
    const text = 'tool' in part ? `${part.tool} ${part.what ?? ''}` : part.text
    return cut(text.trim(), SUMMARY_CHARS)
  }

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

export const SUMMARY_CHARS = 2_000
/** For a message that never ends. */
const FINAL_CHARS = 100_000
