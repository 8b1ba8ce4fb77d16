import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_SETTINGS, LIMITS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'
import { processorMs } from '../../rig/processor-time.ts'

const TEN_MB = 10 << 20

/** Far above what it takes, far below what it would take without the limits: minutes, or all memory. */
const SOON_MS = 5_000

function onlyProblem(text: string, file: string): string {
  const start = processorMs()
  const result = readPlan(text, file, DEFAULT_SETTINGS)
  assert.ok(processorMs() - start < SOON_MS, 'it took too long')
  assert.ok(!result.ok)
  assert.equal(result.problems.length, 1)
  return result.problems.map(formatProblem).join()
}

function noise(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  let state = 1
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    buffer[i] = state >> 16
  }
  return buffer
}

function aliasBomb(): string {
  const names = [...'abcdefghij']
  const line = (name: string, i: number): string => {
    const item = i === 0 ? 'x' : `*${names[i - 1]}`
    return `${name}: &${name} [${Array(10).fill(item).join(', ')}]`
  }
  return `${names.map(line).join('\n')}\ntasks: *j\n`
}

describe('ten megabytes of garbage give one clear message', () => {
  const text = noise(TEN_MB)
  const cases: [name: string, text: string, file: string, says: RegExp][] = [
    ['open brackets', '['.repeat(TEN_MB), 'p.json', /^p\.json:1:501: .* nested more than 500 deep here$/],
    ['open braces in YAML', '{'.repeat(TEN_MB), 'p.yaml', /^p\.yaml:1:501: .* nested more than 500 deep here$/],
    ['nested names', '{"a":'.repeat(TEN_MB / 5), 'p', /^p:1:2501: .* nested more than 500 deep here$/],
    ['commas', `{"tasks": [${','.repeat(TEN_MB)}`, 'p.json', /^p\.json:1:12: a value is expected here$/],
    ['quotes', '"'.repeat(TEN_MB), 'p.json', /^p\.json:1:3: nothing more is expected/],
    ['one letter', 'x'.repeat(TEN_MB), 'p.json', /^p\.json:1:1: this is not JSON$/],
    ['one letter in YAML', 'x'.repeat(TEN_MB), 'p.yaml', /^p\.yaml:1:1: this is not a plan: 10\.0 MB of text/],
    ['lines', 'a: b: c\n'.repeat(TEN_MB / 8), 'p.yaml', /^p\.yaml:1:1: this is not a plan: 10\.0 MB of text/],
    ['tasks and lines', `tasks:\n${'a: b\n'.repeat(TEN_MB / 5)}`, 'p.yaml', /write it as JSON/],
    ['binary', text.toString('utf8'), 'p.json', /^p\.json:1:\d+: this holds .*: is it a text file\?$/],
    ['binary in YAML', `tasks: ${text.toString('latin1', 0, 1 << 20)}`, 'p.yaml', /is it a text file\?$/],
    ['base64', `{"${text.toString('base64')}`, 'p.json', /^p\.json:1:2: this text has no closing quote$/],
  ]
  for (const [name, garbage, file, says] of cases) test(name, () => assert.match(onlyProblem(garbage, file), says))
})

describe('a plan in which everything is wrong is refused soon, with the first problems', () => {
  const many = (length: number, item: unknown): string => JSON.stringify({ tasks: Array(length).fill(item) })
  const unknown = Array.from({ length: 500_000 }, (_, i) => [`k${i}`, 5])
  const names = Object.fromEntries([...unknown, ['epics', []]])
  const NOT_LOOKED_AT = /^p\.json: … and the rest of the file was not checked: fix these first$/
  const cases: [name: string, text: string, last: RegExp][] = [
    ['tasks that are numbers', many(2_000_000, 1), NOT_LOOKED_AT],
    ['wrong types in every task', many(300_000, { id: 1, run: 2, needs: 3 }), NOT_LOOKED_AT],
    ['unknown fields in every task', many(200_000, { id: 'a', run: 'x', foo: 1, bar: 2 }), NOT_LOOKED_AT],
    ['half a million unknown fields', JSON.stringify(names), /… and 499901 more problems$/],
    ['one id over and over', many(300_000, { id: 'a', run: 'x' }), /… and 299899 more problems$/],
  ]
  for (const [name, text, last] of cases) {
    test(name, () => {
      const start = processorMs()
      const result = readPlan(text, 'p.json', DEFAULT_SETTINGS)
      assert.ok(processorMs() - start < SOON_MS, 'it took too long')
      assert.ok(!result.ok)
      assert.equal(result.problems.length, LIMITS.problems + 1)
      assert.match(formatProblem(result.problems.at(-1) ?? assert.fail()), last)
    })
  }
  test('YAML of more values than are read in a moment is to be JSON', () => {
    const text = `tasks:\n${'- {id: a, run: x}\n'.repeat(100_000)}`
    assert.match(
      onlyProblem(text, 'p.yaml'),
      /^p\.yaml: this is YAML of more than 100,000 lines and .* write it as JSON/,
    )
  })
})

describe('bombs do not go off', () => {
  test('aliases that multiply', () =>
    assert.equal(
      onlyProblem(aliasBomb(), 'p.yaml'),
      'p.yaml:1:1: the aliases (`*name`) of this file repeat its parts more than 10000 times',
    ))
  const deep = 100_000
  test('JSON lists in lists', () =>
    assert.match(
      onlyProblem(`{"tasks": ${'['.repeat(deep)}${']'.repeat(deep)}}`, 'p.json'),
      /^p\.json:1:510: .* deep here$/,
    ))
  test('YAML lists in lists', () =>
    assert.match(
      onlyProblem(`tasks: ${'['.repeat(deep)}${']'.repeat(deep)}`, 'p.yaml'),
      /^p\.yaml:1:10008: .* deep here$/,
    ))
  test('YAML items in items', () =>
    assert.match(onlyProblem(`tasks:\n  ${'- '.repeat(deep)}x`, 'p.yaml'), /^p\.yaml:2:\d+: .* deep here$/))
  test('a mapping below the limit of the parser but above ours', () =>
    assert.match(
      onlyProblem(`tasks: ${'['.repeat(600)}${']'.repeat(600)}`, 'p.yaml'),
      /^p\.yaml:1:508: .* more than 500 deep/,
    ))
})

test('a plan larger than the limit is refused before it is looked at', () => {
  assert.equal(
    onlyProblem(' '.repeat((256 << 20) + 1), 'p.json'),
    'p.json: 256.0 MB is more than a plan may have (256 MB)',
  )
})

test('no text makes the reader throw, and every refusal has a place in the text', () => {
  const pieces = fc.constantFrom(
    ...['tasks', 'id', 'run', ':', ' ', '\n', '- ', '{', '}', '[', ']', ',', '"', '&a', '*a', '|', '#', '\t', 'a', '1'],
    ...['!!binary x', '? ', '---\n', '%YAML 1.1\n', '<<', '~', '//', '/*', '__proto__', '\\u0000', 'é', '\u2028'],
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom('p.json', 'p.yaml', 'p'), (text, file) => {
      const result = readPlan(text, file, DEFAULT_SETTINGS)
      if (result.ok) return
      const lines = text.replace(/^\ufeff/, '').split('\n')
      for (const { line, column } of result.problems) {
        assert.ok(line !== null && line >= 1 && line <= lines.length)
        assert.ok(column !== null && column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('no JSON value of the right shape makes the reader throw', () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const name = fc.constantFrom(
    'id',
    'title',
    'prompt',
    'run',
    'epic',
    'needs',
    'after',
    'claims',
    'env',
    'timeout',
    'x',
  )
  const task = fc.dictionary(name, fc.oneof(value, fc.constantFrom('a', 'b', ['a'], ['b'])))
  const plan = fc.record({ tasks: fc.array(task), epics: fc.array(task), defaults: task, landing: value })
  fc.assert(
    fc.property(plan, (plan) => {
      readPlan(JSON.stringify(plan), 'p.json', DEFAULT_SETTINGS)
    }),
    { numRuns: 1_000 },
  )
})
