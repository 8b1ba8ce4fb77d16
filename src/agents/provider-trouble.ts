// The meaning of a provider's error. Only for words of the provider or the program: a model's words are no sign of
// anything.
import type { Failure } from '../event.ts'
import { cut } from '../text/cut.ts'
import { parseDuration } from '../text/duration.ts'

/** `until`: the end of it where that is known. `status`: of the provider's answer. */
type Wait = { said: string; until: number | null; status?: number | null }

type Trouble = { failure: Failure; limited: { until: number | null } | null }

/** `status`: of the provider's answer, if known; otherwise it is looked for in the words. */
export function providerTrouble(message: string, status: number | null, retryAfterS: number | null = null): Trouble {
  const said = cut(message.trim(), MESSAGE_CHARS) || 'no reason given'
  switch (kindOf(message, status ?? statusIn(message))) {
    case 'limit': {
      const until = retryAfterS === null ? resetTime(message, Date.now()) : Date.now() + retryAfterS * 1000
      return { ...plain('rate-limited', `the provider says: ${said}`), limited: { until } }
    }
    case 'login':
      return plain('login-failed', `the provider does not accept the login or key: ${said}. ${LOGIN_ADVICE}`)
    case 'unreachable':
      return plain('provider-unreachable', `the provider cannot be reached or does not work: ${said}`)
    case 'other':
      return plain('agent-failed', said)
  }
}

/** For an agent that was ended while it waited for its provider: its last words, and the end of the wait. */
export function heldUp({ said: message, until, status = null }: Wait): Trouble {
  const trouble = providerTrouble(message, status)
  // It waited, whatever else it said: so it was asked to.
  const { failure, limited } = trouble.failure.reason === 'agent-failed' ? providerTrouble(message, 429) : trouble
  const isKnown = until !== null && Number.isFinite(until) && until > Date.now()
  return { failure, limited: limited && { until: isKnown ? until : limited.until } }
}

type Kind = 'limit' | 'login' | 'unreachable' | 'other'

/** A status says more than words. Some providers answer 403, and any server 500, when they mean a limit. */
function kindOf(message: string, status: number | null): Kind {
  const words = message.slice(0, READ_CHARS)
  const byWords = WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other'
  // A server of tools that does not answer is not the provider.
  if (status === null) return /\bMCP\b/.test(words) ? 'other' : byWords
  if (LIMITED.has(status)) return 'limit'
  if (status === 401) return 'login'
  if (status === 403) return byWords === 'limit' ? 'limit' : 'login'
  if (status >= 500) return byWords === 'limit' ? 'limit' : 'unreachable'
  // Gemini answers a wrong key with 400. Other wrong requests may quote anything.
  return status === 400 && byWords === 'login' ? 'login' : 'other'
}

function statusIn(message: string): number | null {
  const [, said, inBrackets] = STATUS.exec(message.slice(0, READ_CHARS)) ?? []
  const found = said ?? inBrackets
  return found === undefined ? null : Number(found)
}

/** A failure that no limit is to blame for. */
export function plain(reason: Failure['reason'], message: string): Trouble {
  return { failure: { reason, message }, limited: null }
}

const STATUS = /\b(?:status(?: code)?:?|code"?:|error:?|http)\s*([45]\d\d)\b|\(([45]\d\d)\)/i
/** Too many requests, no money left, unavailable, overloaded: the agents have tried again before they say so. */
const LIMITED: ReadonlySet<number> = new Set([402, 429, 503, 529])

/** The first match counts. Words after the name of a program are its own. */
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
/** The rest may be anything: the whole answer, or the question. */
const READ_CHARS = 2_000

// Until when a provider lets nobody work, where its error says so in words:
//   try again at 1:53 PM                          the machine's own time, as programs print it
//   Try again at Nov 18th, 2026 1:53 PM
//   try again in 3 days 2 hours 5 minutes         also `1.5s`, `6m0s`, `20ms`
//   Your quota will reset after 18h31m10s.

function resetTime(message: string, now: number): number | null {
  const words = message.slice(0, READ_CHARS)
  const until = afterWhile(words, now) ?? atTime(words, now)
  return until > now ? Math.min(until, now + MAX_WAIT_MS) : null
}

function afterWhile(words: string, now: number): number | null {
  const [, said] = WHILE.exec(words) ?? []
  if (said === undefined) return null
  const parts = [...said.matchAll(PART)]
  return now + parts.reduce((sum, [, count, unit = '']) => sum + toMs(count, unit.toLowerCase()), 0)
}

/** NaN: it says none. Without a day it is the next time the clock shows it. */
function atTime(words: string, now: number): number {
  const [, day, year, clock, half = ''] = TIME.exec(words) ?? []
  const time = `${clock} ${half}`
  if (day !== undefined) return Date.parse(`${day} ${year} ${time}`)
  const at = new Date(`${new Date(now).toDateString()} ${time}`)
  // A time that has just passed is over: the minute was cut off, or it is read late.
  if (at.getTime() < now - JUST_PASSED_MS) at.setDate(at.getDate() + 1)
  return at.getTime()
}

const WHILE = /(?:(?:try again|retry|resets?) (?:in|after)) ((?:\d+(?:\.\d+)? ?[a-z]+[ ,]*(?:and )?)+)/i
const PART = /(\d+(?:\.\d+)?) ?(ms|[dhms]|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?)(?![a-z])/gi
const TIME = /try again at (?:([a-z]{3,9} \d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (?:at )?)?(\d{1,2}:\d\d) ?([ap]m)?/i

const HOUR = 3_600_000

/** Units but `ms` are known by their first letter. */
function toMs(count: string | undefined, unit: string): number {
  return parseDuration(`${count}${unit === 'ms' ? unit : unit[0]}`) ?? 0
}

/** The longest limits of a subscription are those of a week. */
const MAX_WAIT_MS = 8 * 24 * HOUR
const JUST_PASSED_MS = HOUR
