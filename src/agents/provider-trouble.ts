// What a provider's error means, whichever program tells of it.
import type { Failure } from '../failure.ts'
import { cut } from './cut.ts'

export type Trouble = { failure: Failure; limited: { until: number | null } | null }

/** `status` is that of the provider's answer, where it is known; otherwise it is looked for in the words. */
export function providerTrouble(message: string, status: number | null, retryAfterS: number | null = null): Trouble {
  const code = status ?? statusIn(message)
  const said = cut(message.trim(), MESSAGE_CHARS) || 'no reason given'
  if (code === 401 || code === 403) {
    return {
      failure: { reason: 'agent-failed', message: `the provider does not accept the login or key: ${said}` },
      limited: null,
    }
  }
  if ((code !== null && TRANSIENT.has(code)) || LIMIT_WORDS.test(message)) {
    const until = retryAfterS === null ? null : Date.now() + retryAfterS * 1000
    return {
      failure: { reason: 'rate-limited', message: `the provider is limited or overloaded: ${said}` },
      limited: { until },
    }
  }
  return { failure: { reason: 'agent-failed', message: said }, limited: null }
}

/** For one that was ended while it waited for its provider: what it said last, and until when it was told to wait. */
export function heldUp(message: string, until: number | null): Trouble {
  const { failure } = providerTrouble(message, 429)
  return { failure, limited: { until: until !== null && until > Date.now() ? until : null } }
}

function statusIn(message: string): number | null {
  const [, said, inBrackets] = STATUS.exec(message) ?? []
  const found = said ?? inBrackets
  return found === undefined ? null : Number(found)
}

const STATUS = /\b(?:status(?: code)?:?|code"?:|error:?|http)\s*([45]\d\d)\b|\(([45]\d\d)\)/i
/** Limited, overloaded or broken for the moment: the agents have tried again a few times before they say so. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529])
const LIMIT_WORDS =
  /rate.?limit|overloaded|too many requests|resource.?exhausted|quota exceeded|exceeded your (?:\w+ )?quota/i
const MESSAGE_CHARS = 500
