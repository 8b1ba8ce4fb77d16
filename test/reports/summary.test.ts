// The report as data, for the dashboard: what is in it, and that it stays bounded whatever agents write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOf } from '../../src/reports/summary.ts'
import { processorMs } from '../rig/processor-time.ts'
import { largeInput, planOf, START, sampleInput, taskOf, viewOf } from './sample.ts'

test('the verdict, the figures, the failure and the next commands are in it', () => {
  const summary = summaryOf(sampleInput())
  const text = JSON.stringify(summary)
  assert.equal(summary.title, '11 of 15 tasks succeeded')
  for (const figure of ['29m 32s', '48m 46s', '1.65 ×', '28m 40s', '$10.84']) assert.ok(text.includes(figure), figure)
  assert.ok(text.includes('espalier logs payments --run checkout-7k3f'))
  assert.ok(text.includes('1999 !== 2000'))
  assert.ok(!text.includes('\\u001b'))
})

test('an empty run says so, and one in which everything failed offers nothing to land', () => {
  const empty = summaryOf({ view: viewOf([]), plan: planOf([]), logTails: {}, generatedAt: START })
  assert.equal(empty.title, 'Nothing to do')
  const failed = summaryOf(largeInput(30, 3, 1))
  assert.equal(failed.title, 'Nothing landed')
  for (const summary of [empty, failed]) assert.doesNotMatch(JSON.stringify(summary), /NaN|Infinity|espalier land/)
})

test('it stays small for 10,000 tasks, and says what it left out', () => {
  const input = largeInput(10_000, 32, 1)
  const before = processorMs()
  const summary = summaryOf(input)
  assert.ok(processorMs() - before < 5_000)
  assert.equal(summary.failures.length, 50)
  assert.ok(summary.failuresLeftOut > 100)
  assert.ok(JSON.stringify(summary).length < 1_000_000)
})

test('hostile bulk is bounded too', () => {
  const bulk = '<"&'.repeat(1_000_000)
  const failure = { reason: 'agent-failed' as const, message: bulk, paths: Array(1_000).fill(bulk.slice(0, 9_000)) }
  const tasks = Array.from({ length: 60 }, (_, index) =>
    taskOf({ id: `t${index}`, title: bulk, status: 'failed', failure, history: [{ failure, summary: bulk }] }),
  )
  const logTails = Object.fromEntries(tasks.map((task) => [task.id, bulk]))
  const summary = summaryOf({ view: viewOf(tasks), plan: planOf([]), logTails, generatedAt: START })
  assert.ok(JSON.stringify(summary).length < 2_000_000)
})

test('a prototype name is a task like any other', () => {
  const failure = { reason: 'agent-failed' as const, message: 'no' }
  const tasks = ['constructor', 'valueof'].map((id) =>
    taskOf({ id, status: 'failed', failure, history: [{ failure }] }),
  )
  const { failures } = summaryOf({ view: viewOf(tasks), plan: planOf([]), logTails: {}, generatedAt: START })
  assert.deepEqual(
    failures.map(({ task, log }) => [task, log]),
    [
      ['constructor', ''],
      ['valueof', ''],
    ],
  )
})
