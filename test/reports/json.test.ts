import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderJson } from '../../src/reports/json.ts'
import { jsonText } from '../../src/text/json.ts'
import { NO_USAGE } from '../../src/usage.ts'
import { planOf, START, sampleInput, taskOf, viewOf } from './sample.ts'

test('the report is the view of the run plus the facts', () => {
  const input = sampleInput()
  const { report, ...view } = JSON.parse(renderJson(input))
  assert.deepEqual(view, { version: 1, ...JSON.parse(jsonText(input.view)) })
  assert.deepEqual(Object.keys(report), [
    ...['generatedAt', 'verdict', 'next', 'endAt', 'waits', 'wallMs', 'workMs', 'speedUp', 'quietMs', 'measured'],
    ...['planned', 'utilisation', 'slots', 'attempts', 'retries', 'lost', 'usage', 'spending', 'budgets'],
    ...['models', 'estimates', 'learned', 'purpose', 'landedDiff', 'landings'],
    ...['failures', 'queue', 'claims', 'flagged', 'noticed', 'notes', 'notesLeftOut', 'logTails'],
  ])
  assert.equal(report.wallMs, 1_772_000)
  assert.match(report.logTails.payments, /1999 !== 2000/)
})

test('sums of money are told to a millionth of a dollar', () => {
  const usage = (costUsd: number) => ({ ...NO_USAGE, costUsd })
  const view = viewOf([taskOf({ id: 'a', history: [{ usage: usage(0.1) }, { usage: usage(0.2) }] })])
  const text = renderJson({ view, plan: planOf([{ id: 'a' }]), logTails: {}, generatedAt: START })
  assert.deepEqual([...new Set(text.match(/0\.3\d*/g))], ['0.3'])
})

test('the same input gives the same bytes', () => {
  assert.equal(renderJson(sampleInput()), renderJson(sampleInput()))
})

test('an empty run has facts too', () => {
  const { report } = JSON.parse(renderJson({ view: viewOf([]), plan: planOf([]), logTails: {}, generatedAt: START }))
  assert.equal(report.verdict.kind, 'empty')
  assert.equal(report.speedUp, null)
  const nothing = { criticalPath: { tasks: [], ms: 0 }, totalMs: 0, busiestClaim: null, lowerBoundMs: 0 }
  assert.deepEqual(report.measured, nothing)
})
