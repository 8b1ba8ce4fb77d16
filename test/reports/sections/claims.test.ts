import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import type { AttemptView } from '../../../src/view.ts'
import { planOf, START, sampleInput, taskOf, viewOf } from '../sample.ts'

const list = (...paths: string[]) => ({ paths, count: paths.length })

function inputOf(histories: Record<string, Partial<AttemptView>[]>) {
  const tasks = Object.entries(histories).map(([id, history]) => taskOf({ id, history }))
  return { view: viewOf(tasks), plan: planOf(tasks), logTails: {}, generatedAt: START }
}

const input = inputOf({
  api: [{ undeclared: { paths: ['gen/', 'a|b<img>`'], count: 500 } }],
})

test('the report says who changed what they had not claimed', () => {
  const text = renderMarkdown(input)
  assert.ok(text.includes('## Changed without a claim\n\n- `api`: `gen/`, `` a\\|b<img>` `` (500 paths)\n'))
})

test('a run in which every task kept to its claims has no word about it', () => {
  assert.doesNotMatch(renderMarkdown(sampleInput()), /## Changed /)
})

test('a thousand such tasks are not told one by one', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`t${n}`, [{ undeclared: list('x') }]]))
  const [, text = ''] = renderMarkdown(inputOf(many)).split('## Changed without a claim')
  assert.match(text, /^(\n+- .*){50}\n\nAnd 950 more; the JSON report has all of them\.\n/)
})
