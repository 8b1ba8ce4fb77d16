// The landing queue in reports: from the journal to a row per batch.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { virtualQueue } from '../../../bench/virtual-queue.ts'
import type { Event } from '../../../src/event.ts'
import { RunHistory } from '../../../src/facts/landing-queue-history.ts'
import { renderJson } from '../../../src/reports/json.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { queueFacts, queueSection } from '../../../src/reports/sections/landing-queue.ts'
import { planOf, START, taskOf, viewOf } from '../sample.ts'

/** Eight tasks, of which `t5` is bad; the third verification fails for no reason. */
function journal(): Event[] {
  let verified = 0
  return virtualQueue({
    items: 8,
    slots: 8,
    verifyMs: 90_000,
    landing: { verify: true, window: 1, allgreen: false, reruns: 1 },
    isBad: (tasks) => tasks.has('t5'),
    flakes: () => ++verified === 2,
  }).journal
}

const factsOf = (events: Event[]) => queueFacts(RunHistory.of(events))

function input(events: Event[]) {
  const tasks = Array.from({ length: 8 }, (_, n) => ({ id: `t${n}` }))
  return {
    view: viewOf(tasks.map(taskOf)),
    plan: planOf(tasks),
    logTails: {},
    generatedAt: START,
    history: RunHistory.of(events),
  }
}

test('a run that verified nothing has no queue', () => {
  assert.equal(factsOf(journal().filter((event) => !event.type.startsWith('landing.verif'))), null)
  const empty = input([])
  assert.equal(JSON.parse(renderJson(empty)).report.queue, null)
  assert.ok(!renderMarkdown(empty).includes('Landing queue'))
})

test('the facts: what was verified in which batch, what landed, who was sent back, and the flakes', () => {
  const facts = factsOf(journal())
  assert.ok(facts)
  assert.equal(facts.flakes, 1)
  assert.deepEqual(
    facts.culprits.map(({ tasks, failure }) => [tasks, failure.reason]),
    [[['t5'], 'landing-failed']],
  )
  assert.deepEqual(facts.batches.flatMap((batch) => batch.landed).sort(), ['t0', 't1', 't2', 't3', 't4', 't6', 't7'])
  const all = facts.batches.flatMap((batch) => batch.verifications)
  assert.equal(all.length, facts.verifications)
  assert.equal(all.filter((one) => one.flake).length, 1)
  const found = facts.batches.find((batch) => batch.sentBack.includes('t5'))
  assert.ok(found)
  assert.ok(found.tasks.includes('t5'))
  assert.ok(found.verifications.some((one) => one.passed === false && !one.flake))
})

test('a verification that goes on or was halted has no verdict', () => {
  const events = journal()
  const started = events.findIndex((event) => event.type === 'landing.verifying')
  const facts = factsOf(events.slice(0, started + 1))
  assert.equal(facts?.batches[0]?.verifications[0]?.passed, null)
  const next = { type: 'landing.verified', verification: 1, commit: 'c', verdict: null, seq: 0, at: 0 } as const
  assert.equal(factsOf([...events.slice(0, started + 1), next])?.halted, 1)
})

test('every format shows the queue', () => {
  const given = input(journal())
  const text = renderMarkdown(given)
  assert.match(text, /## Landing queue\n\n\d+ verifications of \d+ batches .*1 flake, 1 ejected\./)
  assert.match(text, /\| ✗\d/)
  assert.match(text, /- `t5` was ejected: exit 1/)
  const drawn = JSON.stringify(queueSection(factsOf(journal())))
  for (const tone of ['good', 'bad', 'warn']) assert.ok(drawn.includes(`"tone":"${tone}"`), tone)
  assert.equal(JSON.parse(renderJson(given)).report.queue.flakes, 1)
})
