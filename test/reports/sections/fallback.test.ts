import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  const text = renderMarkdown(input)
  assert.match(text, /\| `t0` \| 1: rate-limited \(.*\); 2: changed, co.*dex instead of claude \(.*\) \|/)
  assert.match(
    text,
    /\| Status \| Task \| Agent \| Time \|.*\n.*\n\| \S+ landed \| `t0` t0 \| co.*dex instead of claude \|/,
  )
})

test('where there are no agents, or one for all, the tables are as narrow as before', () => {
  for (const input of [inputOf([{}]), inputOf([{ agent: 'claude' }], [{ agent: 'claude' }])])
    assert.match(renderMarkdown(input), /\| Status \| Task \| Time \|/)
})
