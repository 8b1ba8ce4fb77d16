// A run as spans: what belongs to what, and the same ids whoever tells of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunSpans } from '../../../src/reports/traces/spans.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { Core, planOf } from '../../scheduler/plan-rig.ts'

const work = { kind: 'prompt', prompt: 'p', agent: 'claude', model: null } as const

function journal() {
  const plan = planOf({ id: 'a', work, retries: 1 })
  const core = new Core(plan)
  core.fail('a')
  core.wait(120_000)
  core.tell({
    type: 'attempt.finished',
    ...{ task: 'a', attempt: 2, outcome: 'changed', commit: 'a'.repeat(40), failure: null, diff: null, summary: null },
    session: { agent: 'claude', id: 's-1', model: 'opus', turns: 3, messages: 4, toolCalls: 5 },
    usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 20, costUsd: 0.5 },
    checks: [
      { command: 'npm test', durationMs: 2_000, passed: true },
      { command: 'npm run lint', durationMs: 1_000, passed: true },
    ],
  })
  return { plan, events: core.journal }
}

test('the session of an agent and the checks lie in its attempt, one after the other', () => {
  const { plan, events } = journal()
  const spans = new RunSpans('test-1', plan)
  const all = events.flatMap((event) => spans.take(event))
  const named = (name: string) => all.find((span) => span.name === name)
  const [attempt, session, run] = [named('attempt 2 of a'), named('session of claude'), named('run test')]
  assert.ok(attempt && session && run)
  assert.equal(session.parent, attempt.id)
  assert.equal(session.attributes['gen_ai.usage.output_tokens'], 20)
  assert.deepEqual([run.parent, run.error, run.attributes['espalier.cost_usd']], [null, null, 0.5])
  assert.match(named('attempt 1 of a')?.error ?? '', /no/)
  const checks = all.filter(({ name }) => name === 'check')
  assert.deepEqual(
    checks.map(({ parent }) => parent),
    [attempt.id, attempt.id],
  )
  assert.deepEqual([checks[0]?.to, checks[1]?.to], [checks[1]?.from, attempt.to])
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
})

test('an attempt that ended without a word has cost what it reported before', () => {
  const plan = planOf({ id: 'a', work, retries: 0, budgetUsd: 5 })
  const core = new Core(plan)
  core.tell({ type: 'attempt.spent', task: 'a', attempt: 1, costUsd: 0.25 })
  core.fail('a')
  const spans = new RunSpans('test-1', plan)
  const attempt = core.journal.flatMap((event) => spans.take(event)).find(({ name }) => name === 'attempt 1 of a')
  assert.equal(attempt?.attributes['espalier.cost_usd'], 0.25)
})

test('another engine that reads the same journal comes to the same ids', () => {
  const { plan, events } = journal()
  const [one, other] = [new RunSpans('test-1', plan), new RunSpans('test-1', plan)]
  const ids = (spans: RunSpans) => events.flatMap((event) => spans.take(event).map(({ id }) => id))
  assert.deepEqual(ids(one), ids(other))
  assert.equal(one.trace, other.trace)
  assert.match(one.trace, /^[0-9a-f]{32}$/)
})
