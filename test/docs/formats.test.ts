// The page about other formats: its table is complete, and its examples are read as what they are said to be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { formatProblem } from '../../src/problem.ts'
import { KNOWN_FORMATS } from '../../src/workloads/formats/known-formats.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'
import { blocksOf, namesIn } from './pages.ts'

const PAGE = 'docs/formats.md'

test('every format is in the table', () => {
  assert.deepEqual(
    namesIn(PAGE, 'Plans of other formats', '`--format`').sort(),
    KNOWN_FORMATS.map(({ name }) => name).sort(),
  )
})

/** By the language of the example: what its file is called. */
const ENDINGS: Record<string, string> = { json: '.json', jsonl: '.jsonl', markdown: '.md' }

for (const { info, line, text } of blocksOf(PAGE)) {
  const [language = '', format = ''] = info.split(' ')
  if (!(language in ENDINGS) || format === '') continue
  test(`the example in ${PAGE}:${line} is ${format}`, () => {
    const read = readPlan(text, `plan${ENDINGS[language]}`, DEFAULT_SETTINGS)
    assert.ok(read.ok, read.ok ? '' : read.problems.map(formatProblem).join('\n'))
    assert.equal(read.value.source.format, format)
    assert.ok(read.value.plan.tasks.length > 0)
    assert.deepEqual(read.value.warnings, [])
  })
}

test('there is an example of every format', () => {
  const shown = blocksOf(PAGE).map(({ info }) => info.split(' ')[1])
  for (const { name } of KNOWN_FORMATS) assert.ok(shown.includes(name), name)
})
