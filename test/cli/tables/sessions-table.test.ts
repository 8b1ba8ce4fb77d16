import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendingLines } from '../../../src/cli/status/money-lines.ts'
import { sessionLines } from '../../../src/cli/tables/sessions-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { SessionView } from '../../../src/engine/query/agent-sessions.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { attemptOf } from '../../reports/sample.ts'
import { sampleTask } from '../sample-run.ts'

const plain = palette(false)
const WIDE = { now: 90_000, width: Number.POSITIVE_INFINITY, palette: plain }

function session(more: Partial<SessionView>): SessionView {
  return {
    ...{ run: 'shop-1', task: 'schema', attempt: 1, agent: 'claude', model: 'opus', session: 's', transcript: [] },
    ...{
      sessionNumber: 1,
      sessionType: 'coding',
      startedAt: 0,
      finishedAt: 62_000,
      outcome: 'changed',
      turns: 3,
      messages: 4,
      toolCalls: 2,
      usage: null,
    },
    ...more,
  }
}

test('what has no price is not shown as free', () => {
  const usage = { ...NO_USAGE, inputTokens: 5_000_000, costUnknown: true as const }
  assert.match(sessionLines([session({ usage })], WIDE).at(-1) ?? '', / unknown$/)
  const history = [attemptOf({ usage: { ...usage, costUsd: 2 } })]
  const [spent = ''] = spendingLines(
    { tasks: [sampleTask('a', 'landed', { history })] },
    { width: 120, palette: plain },
  )
  assert.match(spent, /, \$2\.00 \+ unknown$/)
})

test('a row per session, figures to the right', () => {
  const usage = { ...NO_USAGE, inputTokens: 100, cacheWriteTokens: 28, cacheReadTokens: 44_280, outputTokens: 39 }
  const lines = sessionLines(
    [
      session({ usage: { ...usage, costUsd: 0.0151974 } }),
      session({
        task: 'users',
        attempt: 12,
        agent: 'command',
        model: null,
        session: null,
        turns: 0,
        outcome: 'failed',
      }),
      session({ task: 'ui', finishedAt: null, outcome: null, session: null, turns: 0 }),
    ],
    WIDE,
  )
  assert.deepEqual(lines, [
    'task      agent    model  outcome    time  turns  tools   in  cached  out     cost',
    'schema/1  claude   opus   changed  1m 02s      3      2  128     44k   39  $0.0152',
    'users/12  command         failed   1m 02s',
    'ui/1      claude   opus   running  1m 30s',
  ])
})

test('no line is wider than the terminal', () => {
  for (const line of sessionLines([session({ model: 'm'.repeat(200) })], { ...WIDE, width: 40 }))
    assert.ok(line.length <= 40, line)
})

test('the end of a run says what it cost, and what of it did not land', () => {
  const paid = (costUsd: number, outputTokens: number) => attemptOf({ usage: { ...NO_USAGE, outputTokens, costUsd } })
  const tasks = [
    sampleTask('a', 'landed', { history: [paid(1.5, 10)] }),
    sampleTask('b', 'failed', { history: [paid(0.25, 20)] }),
  ]
  const lines = (shown: typeof tasks) => spendingLines({ tasks: shown }, { width: 100, palette: plain })
  assert.deepEqual(lines(tasks), ['  cost: 0 tokens in, 30 out, $1.75; on work that did not land: $0.25'])
  assert.deepEqual(lines(tasks.slice(0, 1)), ['  cost: 0 tokens in, 10 out, $1.50'])
  assert.deepEqual(lines([sampleTask('c', 'failed', { history: [paid(0, 20)] })]), [
    '  cost: 0 tokens in, 20 out, $0.00; on work that did not land: 0 tokens in, 20 out',
  ])
  assert.deepEqual(spendingLines({ tasks }, { width: 50, palette: plain }), [
    '  cost: 0 tokens in, 30 out, $1.75; on work that',
    '  did not land: $0.25',
  ])
  assert.deepEqual(lines([sampleTask('d', 'landed', { history: [attemptOf({})] })]), [])
})
