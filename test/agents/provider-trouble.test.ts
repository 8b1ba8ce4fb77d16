import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldUp, providerTrouble } from '../../src/agents/provider-trouble.ts'
import type { FailureReason } from '../../src/failure.ts'

type Case = [name: string, message: string, status: number | null, reason: FailureReason, words: RegExp]

const cases: Case[] = [
  ['a status is believed', 'please wait', 429, 'rate-limited', /the provider says: please wait$/],
  ['overloaded', 'Overloaded', 529, 'rate-limited', /Overloaded/],
  ['unavailable', 'try later', 503, 'rate-limited', /try later/],
  ['a status in the words', 'exceeded retry limit, last status: 429 Too Many', null, 'rate-limited', /429/],
  ['in brackets', 'request failed (529)', null, 'rate-limited', /529/],
  ['of HTTP', 'HTTP 503 from upstream', null, 'rate-limited', /503/],
  ['in JSON', '{"error":{"code": 429}}', null, 'rate-limited', /429/],
  ['a limit told with 403', 'quota exceeded', 403, 'rate-limited', /quota/],
  ['a limit told with 500', 'the model is overloaded', 500, 'rate-limited', /overloaded/],
  [
    'a wrong key',
    'invalid x-api-key',
    401,
    'login-failed',
    /not accept the login or key: invalid x-api-key\. Log in .*doctor/,
  ],
  ['a key without rights, in brackets', 'forbidden (403)', null, 'login-failed', /does not accept the login/],
  ['a wrong key told with 400', 'API key not valid. Please pass a valid one', 400, 'login-failed', /login or key/],
  [
    'a broken server, for the moment',
    'internal error',
    500,
    'provider-unreachable',
    /cannot be reached .*: internal error$/,
  ],
  ['a broken way to it', 'bad gateway', 502, 'provider-unreachable', /bad gateway$/],
  ['a request that is wrong', 'no such model', 404, 'agent-failed', /^no such model$/],
  ['one that quotes what it was asked', 'bad input: "rate limit, fetch failed"', 400, 'agent-failed', /^bad input/],
  ['a server of tools', 'MCP client for x failed to start: connection refused', null, 'agent-failed', /^MCP/],
  ['numbers that are no status', '(503 tests failed)', null, 'agent-failed', /^\(503 tests failed\)$/],
  ['words far behind', `${'x '.repeat(2_000)} rate limit`, null, 'agent-failed', /^x x/],
  ['nothing said', '  ', null, 'agent-failed', /^no reason given$/],
]
for (const [name, message, status, reason, words] of cases)
  test(name, () => {
    const { failure, limited } = providerTrouble(message, status)
    assert.equal(failure.reason, reason)
    assert.match(failure.message, words)
    assert.deepEqual(limited, reason === 'rate-limited' ? { until: null } : null)
  })

test('a time to wait is counted from now', () => {
  const before = Date.now()
  const { limited } = providerTrouble('slow down', 429, 30)
  const until = limited?.until ?? 0
  assert.ok(until >= before + 30_000 && until <= Date.now() + 30_000)
})

test('a long message is cut', () => {
  assert.ok(providerTrouble('x'.repeat(10_000), null).failure.message.length < 600)
})

/** As the programs print them, without a status. */
const WORDS: Partial<Record<FailureReason, string[]>> = {
  'rate-limited': [
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details',
    'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 1:53 PM.',
    "You've hit your usage limit for gpt-5. Try again later.",
    "You've reached your usage limit. Increase your limits to continue using codex.",
    'Claude AI usage limit reached|1794744806',
    '5-hour limit reached ∙ resets 3pm',
    'You have exhausted your daily quota on this model.',
    'You have exhausted your capacity on this model. Your quota will reset after 18h31m10s.',
    'Selected model is at capacity. Please try a different model.',
    'We are currently experiencing high demand for gemini-2.5-pro.',
    'We’re currently experiencing high demand, which may cause temporary errors.',
    'The model is overloaded. Please try again later.',
    'Credit balance is too low',
  ],
  'login-failed': [
    'Invalid API key · Please run /login',
    'Not logged in · Please run /login',
    'Incorrect API key provided: sk-none.',
    'it wants a login first: Authentication required',
    'OAuth token has expired',
  ],
  'provider-unreachable': [
    'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    'API Error: Can’t reach the API server — check your internet or DNS (ENOTFOUND)',
    'Cannot connect to API: Unable to connect. Is the computer able to access the url?',
    'stream disconnected before completion: error sending request for url (http://127.0.0.1:1/v1/responses)',
    'exception TypeError: fetch failed sending request',
    'unable to verify the first certificate',
  ],
}
for (const [reason, messages] of Object.entries(WORDS))
  test(`words that mean ${reason}`, () => {
    for (const message of messages) assert.equal(providerTrouble(message, null).failure.reason, reason, message)
  })

test('a limit that says in words when it ends', () => {
  const before = Date.now()
  const { limited } = providerTrouble('You’ve hit your usage limit. Try again in 3 days 2 hours.', null)
  const until = limited?.until ?? 0
  assert.ok(until >= before + 74 * 3_600_000 && until <= Date.now() + 74 * 3_600_000)
})

test('one that was ended while it waited was limited, unless it said something else', () => {
  assert.equal(heldUp({ said: 'it was told to wait', until: null }).failure.reason, 'rate-limited')
  assert.equal(heldUp({ said: '', until: null, status: 401 }).failure.reason, 'login-failed')
  assert.equal(
    heldUp({ said: 'Reconnecting... 1/5 (connection refused)', until: null }).failure.reason,
    'provider-unreachable',
  )
  const until = Date.now() + 60_000
  assert.deepEqual(heldUp({ said: 'slow down', until }).limited, { until })
  assert.deepEqual(heldUp({ said: 'slow down', until: 1_000 }).limited, { until: null }, 'what is over is no time')
})
