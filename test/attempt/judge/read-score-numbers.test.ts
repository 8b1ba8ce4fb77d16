// Which number in what a command printed is the score.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numbersIn } from '../../../src/attempt/judge/score-command.ts'
import type { Score } from '../../../src/search.ts'

const plain = { keys: [], pattern: null, file: null, rankedBy: 'score' } satisfies Partial<Score>

test('the last number printed, whatever its form', () => {
  for (const [text, value] of [
    ['12\n', 12],
    ['ran 5 tests\nscore: -0.5 ms\n', -0.5],
    ['1e3', 1000],
    ['.25', 0.25],
  ] as const)
    assert.deepEqual(numbersIn(plain, text), { ok: true, values: { score: value } })
  assert.equal(numbersIn(plain, 'none here').ok, false)
  assert.equal(numbersIn(plain, '1e999').ok, false)
})

test('keys of JSON, of all of it or of a line; two that differ are none', () => {
  const keys = { ...plain, keys: ['a.ms', 'kb'] }
  const whole = '{\n"a": {"ms": 4}, "kb": 7\n}'
  assert.deepEqual(numbersIn(keys, whole), { ok: true, values: { 'a.ms': 4, kb: 7 } })
  const line = 'warming up\n{"a":{"ms":4},"kb":7}\ndone'
  assert.deepEqual(numbersIn(keys, line), { ok: true, values: { 'a.ms': 4, kb: 7 } })
  assert.deepEqual(numbersIn(keys, `${line}\n{"a":{"ms":4},"kb":7}`), { ok: true, values: { 'a.ms': 4, kb: 7 } })
  const fake = numbersIn(keys, `{"a":{"ms":1}}\n${line}`)
  assert.ok(!fake.ok && fake.reason === 'ambiguous')
  const missing = numbersIn(keys, '{"a":{"ms":4},"kb":"7"}')
  assert.ok(!missing.ok && missing.reason === 'missing')
  assert.equal(numbersIn({ ...plain, keys: ['constructor.length'] }, '{}').ok, false)
})

test('a pattern: its group, all of it, or groups with names; one that takes too long is given up', () => {
  const of = (pattern: string) => ({ ...plain, pattern })
  assert.deepEqual(numbersIn(of('took (\\d+) ms'), 'took 12 ms'), { ok: true, values: { score: 12 } })
  assert.deepEqual(numbersIn(of('^\\d+$'), 'x\n12\n'), { ok: true, values: { score: 12 } })
  const named = numbersIn(of('ms=(?<ms>\\d+) kb=(?<kb>\\d+)'), 'ms=1 kb=2')
  assert.deepEqual(named, { ok: true, values: { ms: 1, kb: 2 } })
  const slow = numbersIn(of('^(a+)+$'), `${'a'.repeat(40)}b`)
  assert.ok(!slow.ok && /took too long/.test(slow.message))
})
