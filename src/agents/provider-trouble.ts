// What a provider's error means. Only for what the provider or the program said: a model's words are no sign of anything.
import type { Failure } from '../failure.ts'
import { cut } from '../text/cut.ts'
import { resetTime } from './reset-time.ts'

type Trouble = { failure: Failure; limited: { until: number | null } | null }

/** `status` is that of the provider's answer, where it is known; otherwise it is looked for in the words. */
export function providerTrouble(message: string, status: number | null, retryAfterS: number | null = null): Trouble {
  const said = cut(message.trim(), MESSAGE_CHARS) || 'no reason given'
  switch (kindOf(message, status ?? statusIn(message))) {
    case 'limit': {
      const until = retryAfterS === null ? resetTime(message, Date.now()) : Date.now() + retryAfterS * 1000
      return {
        failure: { reason: 'rate-limited', message: `the provider says: ${said}` },
        limited: { until },
      }
    }
    case 'login':
      return plain('login-failed', `the provider does not accept the login or key: ${said}. ${LOGIN_ADVICE}`)
    case 'unreachable':
      return plain('provider-unreachable', `the provider cannot be reached or does not work: ${said}`)
    case 'other':
      return plain('agent-failed', said)
  }
}

/** For one that was ended while it waited for its provider: what it said last, and until when it was told to wait. */
export function heldUp(message: string, until: number | null, status: number | null = null): Trouble {
  const trouble = providerTrouble(message, status)
  // Whatever else it said, it waited: so it was asked to.
  const { failure, limited } = trouble.failure.reason === 'agent-failed' ? providerTrouble(message, 429) : trouble
  const isKnown = until !== null && Number.isFinite(until) && until > Date.now()
  return { failure, limited: limited && { until: isKnown ? until : limited.until } }
}

type Kind = 'limit' | 'login' | 'unreachable' | 'other'

/** A status says more than words. Some providers answer 403, and any server 500, where they mean a limit. */
function kindOf(message: string, status: number | null): Kind {
  const words = message.slice(0, READ_CHARS)
  const byWords = WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
  // A server of tools that does not answer is not the provider.
  if (status === null) return /\bMCP\b/.test(words) ? 'other' : byWords
  if (LIMITED.has(status)) return 'limit'
  if (status === 401) return 'login'
  if (status === 403) return byWords === 'limit' ? 'limit' : 'login'
  if (status >= 500) return byWords === 'limit' ? 'limit' : 'unreachable'
  // Gemini answers a wrong key with 400. Other requests that are wrong may quote anything.
  return status === 400 && byWords === 'login' ? 'login' : 'other'
}

function statusIn(message: string): number | null {
  const [, said, inBrackets] = STATUS.exec(message.slice(0, READ_CHARS)) ?? []
  const found = said ?? inBrackets
  return found === undefined ? null : Number(found)
}

function plain(reason: Failure['reason'], message: string): Trouble {
  return { failure: { reason, message }, limited: null }
}

const STATUS = /\b(?:status(?: code)?:?|code"?:|error:?|http)\s*([45]\d\d)\b|\(([45]\d\d)\)/i
/** Too many requests, no money left, unavailable, overloaded: the agents have tried again before they say so. */
const LIMITED: ReadonlySet<number> = new Set([402, 429, 503, 529])

/** The first that fits counts. Where a program is named, the words are its own, as it prints them. */
const WORDS: readonly [Kind, RegExp][] = [
  ['limit', /rate.?limit|too many requests|overloaded/i],
  ['limit', /resource.?exhausted|quota exceeded|exceeded your (?:\w+ )?quota|insufficient.quota/i],
  // Codex and Claude Code, with a subscription.
  ['limit', /(?:hit|reached) your (?:[\w-]+ )?limit|(?:usage|session|weekly|daily|hour) limit reached/i],
  // Gemini.
  ['limit', /exhausted your (?:daily quota|capacity)|capacity exceeded|MODEL_CAPACITY_EX|(?:is|are) at capacity/i],
  ['limit', /experiencing high (?:demand|load)/i],
  ['limit', /credit balance is too low|out of credits|insufficient (?:credits|balance|funds)/i],
  ['login', /invalid (?:x-)?api.?key|api key not valid|incorrect api key|API_KEY_INVALID|no api key/i],
  ['login', /not logged in|please (?:run \/login|log ?in|sign in)|failed to authenticate|unauthorized/i],
  ['login', /authentication[ _](?:required|failed|error)|token (?:has |is )?(?:expired|revoked)/i],
  ['unreachable', /ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(?:HOST|NET)UNREACH/],
  ['unreachable', /connection (?:was )?(?:refused|reset|error|timed out)|unable to connect|fetch failed/i],
  ['unreachable', /error sending request|stream disconnected before completion|dns error|failed to lookup address/i],
  ['unreachable', /self.signed certificate|unable to verify|local issuer|certificate has expired|CERT_HAS_EXPIRED/i],
  ['unreachable', /bad gateway|gateway time-?out|internal server error/i],
]
const LOGIN_ADVICE =
  'Log in with its own program or put the key right (`espalier doctor` shows what is found); with `espalier resume` it is tried again at once'
const MESSAGE_CHARS = 500
/** What follows may be anything: the whole answer, or what was asked. */
const READ_CHARS = 2_000
