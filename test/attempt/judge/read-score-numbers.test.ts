// Which number in what a command printed is the score.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { measurementIn, scoreArguments } from '../../../src/attempt/judge/score-command.ts'
import type { Score } from '../../../src/search-definition.ts'
import { temporaryFolder } from '../../rig/repository.ts'

const plain: Score = { run: 'bench', goal: 'min', keys: [], pattern: null, file: null, rankedBy: 'score' }
const EXIT = { kind: 'exited' as const, code: 0, endedAt: 0, leftovers: 0, survivors: [], outputLost: false }

/** `text`: printed by a command that succeeds. */
async function numbersIn(score: Score, text: string) {
  await using folder = await temporaryFolder()
  const which = { token: 'token', number: 1 }
  const mark = scoreArguments(score, which.token, which.number)[5]
  await writeFile(folder.at('output.aaa'), `${text}\n${mark}\n`)
  return measurementIn(folder.path, EXIT, score, which)
}

test('the last number printed, whatever its form', async () => {
  for (const [text, value] of [
    ['12\n', 12],
    ['ran 5 tests\nscore: -0.5 ms\n', -0.5],
    ['1e3', 1000],
    ['.25', 0.25],
  ] as const)
    assert.deepEqual(await numbersIn(plain, text), { ok: true, values: { score: value } })
  assert.equal((await numbersIn(plain, 'none here')).ok, false)
  assert.equal((await numbersIn(plain, '1e999')).ok, false)
})

test('keys of JSON, of all of it or of a line; two that differ are none', async () => {
  const keys = { ...plain, keys: ['a.ms', 'kb'] }
  const whole = '{\n"a": {"ms": 4}, "kb": 7\n}'
  assert.deepEqual(await numbersIn(keys, whole), { ok: true, values: { 'a.ms': 4, kb: 7 } })
  const line = 'warming up\n{"a":{"ms":4},"kb":7}\ndone'
  assert.deepEqual(await numbersIn(keys, line), { ok: true, values: { 'a.ms': 4, kb: 7 } })
  assert.deepEqual(await numbersIn(keys, `${line}\n{"a":{"ms":4},"kb":7}`), { ok: true, values: { 'a.ms': 4, kb: 7 } })
  const fake = await numbersIn(keys, `{"a":{"ms":1}}\n${line}`)
  assert.ok(!fake.ok && fake.failure.reason === 'tampered')
  const missing = await numbersIn(keys, '{"a":{"ms":4},"kb":"7"}')
  assert.ok(!missing.ok && missing.failure.reason === 'score-failed')
  assert.equal((await numbersIn({ ...plain, keys: ['constructor.length'] }, '{}')).ok, false)
})

test('a pattern: its group, all of it, or groups with names; one that takes too long is given up', async () => {
  const of = (pattern: string) => ({ ...plain, pattern })
  assert.deepEqual(await numbersIn(of('took (\\d+) ms'), 'took 12 ms'), { ok: true, values: { score: 12 } })
  assert.deepEqual(await numbersIn(of('^\\d+$'), 'x\n12\n'), { ok: true, values: { score: 12 } })
  const named = await numbersIn(of('ms=(?<ms>\\d+) kb=(?<kb>\\d+)'), 'ms=1 kb=2')
  assert.deepEqual(named, { ok: true, values: { ms: 1, kb: 2 } })
  const slow = await numbersIn(of('^(a+)+$'), `${'a'.repeat(40)}b`)
  assert.ok(!slow.ok && /took too long/.test(slow.failure.message))
})
