import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderHtml } from '../../../src/reports/html/report.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { planOf, START, taskOf, viewOf } from '../sample.ts'

const LIMITED = { outcome: 'rate-limited', failure: { reason: 'rate-limited', message: '429' } } as const
const FALLBACK = { agent: 'co<dex', insteadOf: { agent: 'claude', until: START } }

function inputOf(...histories: Parameters<typeof taskOf>[0]['history'][]) {
  const tasks = histories.map((history, n) => taskOf({ id: `t${n}`, status: 'landed', history: history ?? [] }))
  return { view: viewOf(tasks), plan: planOf(tasks), logTails: {}, generatedAt: START }
}

test('the report says who did an attempt, and in whose place', () => {
  const input = inputOf([{ agent: 'claude', ...LIMITED }, { ...FALLBACK }])
  assert.match(renderHtml(input), /<th scope="col">Agent<\/th>.*<td class="nw">claude<\/td>/)
  assert.match(renderHtml(input), /<td class="nw">co&lt;dex instead of claude<\/td>/)
  const text = renderMarkdown(input)
  assert.match(text, /\| `t0` \| 1: rate-limited \(.*\); 2: changed, co.*dex instead of claude \(.*\) \|/)
  assert.match(
    text,
    /\| Status \| Task \| Agent \| Time \|.*\n.*\n\| \S+ landed \| `t0` t0 \| co.*dex instead of claude \|/,
  )
})

test('where there are no agents, or one for all, the tables are as narrow as before', () => {
  assert.doesNotMatch(renderHtml(inputOf([{}])), /<th scope="col">Agent<\/th>/)
  for (const input of [inputOf([{}]), inputOf([{ agent: 'claude' }], [{ agent: 'claude' }])])
    assert.match(renderMarkdown(input), /\| Status \| Task \| Time \|/)
})
