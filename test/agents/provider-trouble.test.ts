import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerTrouble } from '../../src/agents/provider-trouble.ts'

const cases: [name: string, message: string, status: number | null, reason: string, words: RegExp][] = [
  ['a status is believed', 'please wait', 429, 'rate-limited', /limited or overloaded: please wait$/],
  ['overloaded', 'Overloaded', 529, 'rate-limited', /Overloaded/],
  ['unavailable', 'try later', 503, 'rate-limited', /try later/],
  ['a status in the words', 'exceeded retry limit, last status: 429 Too Many', null, 'rate-limited', /429/],
  ['in brackets', 'request failed (529)', null, 'rate-limited', /529/],
  ['of HTTP', 'HTTP 503 from upstream', null, 'rate-limited', /503/],
  ['in JSON', '{"error":{"code": 429}}', null, 'rate-limited', /429/],
  ['words alone', 'RESOURCE_EXHAUSTED', null, 'rate-limited', /RESOURCE_EXHAUSTED/],
  ['a wrong key', 'invalid x-api-key', 401, 'agent-failed', /does not accept the login or key: invalid x-api-key$/],
  ['a key without rights, in brackets', 'forbidden (403)', null, 'agent-failed', /does not accept the login/],
  ['a broken server, for the moment', 'internal error', 500, 'rate-limited', /internal error$/],
  ['a request that is wrong', 'no such model', 404, 'agent-failed', /^no such model$/],
  ['numbers that are no status', '(503 tests failed)', null, 'agent-failed', /^\(503 tests failed\)$/],
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
