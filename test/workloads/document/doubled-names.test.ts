import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, LIMITS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { readJson } from '../../../src/workloads/document/json.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

function doubled(text: string): string[] {
  const read = readJson(text, 'x.json')
  assert.ok(read.ok)
  return (read.value.doubled?.() ?? []).map(
    ({ message, place }) => `${place.line}:${place.column} ${message.split(' is given twice')[0]?.replaceAll('`', '')}`,
  )
}

test('names that stand twice in one mapping, with their places', () => {
  const cases: [text: string, found: string[]][] = [
    ['{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}', []],
    ['{"a":1,\n "a":2,\n "a":3}', ['2:2 a', '3:2 a']],
    ['{"a":{"b":1,"b":2},"a":[]}', ['1:13 b', '1:20 a']],
    ['{"a":1,"\\u0061":2}', ['1:8 a']],
    ['{"a":"\\"a\\": {\\\\","b":":::","":{}}', []],
    ['{"__proto__":1,"constructor":2}', []],
    ['{\n// "a": 1\n"a":1, /* : */ "b":2,}', []],
    ['{\n// "a": 1\n"a":1, "a":2,}', ['3:8 a']],
    ['[]', []],
    ['"a:b"', []],
  ]
  for (const [text, found] of cases) assert.deepEqual(doubled(text), found, text)
  assert.equal(doubled(`{${'"a":1,'.repeat(1_000)}"b":2}`).length, LIMITS.problems)
})

test('a plan of the own format is warned of, too', () => {
  const text = '{"tasks":[{"id":"a","prompt":"x",\n"prompt":"y"}]}'
  const read = readPlan(text, 'plan.json', DEFAULT_SETTINGS)
  assert.ok(read.ok)
  assert.deepEqual(read.value.warnings.map(formatProblem), [
    'plan.json:2:1: warning: `prompt` is given twice: the first value is ignored',
  ])
})
