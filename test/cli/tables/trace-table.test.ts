import assert from 'node:assert/strict'
import { test } from 'node:test'
import { traceLines } from '../../../src/cli/tables/trace-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { TaskTrace, Trace } from '../../../src/engine/query/origin-of-work.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { CHOICE } from '../sample-run.ts'

const LOOK = { now: 200_000, width: Number.POSITIVE_INFINITY, palette: palette(false) }
const line = (letter: string, subject: string) => ({ commit: letter.repeat(40), author: 'Bot', at: 0, subject })

const TASK: TaskTrace = {
  ...{ run: 'shop-1', branch: 'espalier/shop-1', objective: 'Ship the checkout', task: 'schema', title: 'add tables' },
  epic: { id: 'api', title: 'api', decisions: ['ADR-3'] },
  status: 'landed',
  decisions: ['ADR-3', 'ADR-12'],
  attempts: [
    {
      ...{ attempt: 1, startedAt: 0, finishedAt: 62_000, outcome: 'failed', session: null, commits: [] },
      failure: { reason: 'verify-failed', message: 'npm test exited\nwith 1' },
    },
    {
      ...{ attempt: 2, startedAt: 70_000, finishedAt: 80_000, outcome: 'changed', failure: null },
      session: {
        ...{
          run: 'shop-1',
          task: 'schema',
          attempt: 2,
          agent: 'claude',
          model: 'opus',
          session: 's-1',
          transcript: [],
          sessionNumber: 2,
          sessionType: 'coding',
        },
        ...{ startedAt: 70_000, finishedAt: 80_000, outcome: 'changed', turns: 3, messages: 4, toolCalls: 1 },
        usage: { ...NO_USAGE, inputTokens: 100, outputTokens: 39, costUsd: 0.5 },
      },
      commits: [line('a', 'wip'), line('b', 'add tables')],
    },
  ],
  landing: { commit: 'c'.repeat(40), at: 90_000, tasks: ['schema', 'users'], commits: [line('c', 'Land schema')] },
}

const COMMIT: Trace['commit'] = { ...line('a', 'wip'), part: 'work', attempt: 2, trailers: null }

test('from the objective down to the landing', () => {
  assert.deepEqual(traceLines({ commit: null, tasks: [TASK] }, LOOK), [
    'objective   Ship the checkout',
    'run         shop-1, branch espalier/shop-1',
    'epic        api (decided by ADR-3)',
    'task        ✓ schema: add tables, landed (decided by ADR-3, ADR-12)',
    'attempt 1   failed after 1m 02s, verify-failed: npm test exited',
    'attempt 2   changed after 10s',
    '  session   claude opus s-1, 3 turns, 1 tool call, 100 tokens in, 39 out, $0.50',
    '  commit    aaaaaaaa wip <Bot>',
    '  commit    bbbbbbbb add tables <Bot>',
    'landed      as cccccccc, together with users',
    '  commit    cccccccc Land schema <Bot>',
  ])
})

test('a model that was chosen is told with the reason', () => {
  const attempts = TASK.attempts.map((one) => ({ ...one, session: one.session && { ...one.session, choice: CHOICE } }))
  const lines = traceLines({ commit: null, tasks: [{ ...TASK, attempts }] }, LOOK)
  assert.equal(lines[6], '  model     claude-haiku-4-5 (1 of 3): general, complexity 0.20')
})

test('a commit comes first, and is marked where it stands', () => {
  const lines = traceLines({ commit: COMMIT, tasks: [TASK] }, LOOK)
  assert.deepEqual(lines.slice(0, 2), ['commit      aaaaaaaa wip <Bot> (left by attempt 2)', ''])
  assert.deepEqual(
    lines.filter((one) => one.includes('←')),
    ['  commit    aaaaaaaa wip <Bot>  ← this one'],
  )
})

test('of a run that is gone the trailers tell', () => {
  const trailers = { run: 'shop-1', tasks: [{ task: 'schema', attempt: 2 }], decisions: ['ADR-12'] }
  assert.deepEqual(traceLines({ commit: { ...COMMIT, part: 'copy', trailers }, tasks: [] }, LOOK), [
    'commit      aaaaaaaa wip <Bot> (made of a landing: its trailers tell)',
    'run         shop-1, which was removed here',
    'task        schema (attempt 2)',
    'decision    ADR-12',
  ])
})

test('many commits are cut, and so are long lines', () => {
  const many = Array.from({ length: 30 }, () => line('d', 'x'.repeat(100)))
  const [first] = TASK.attempts
  assert.ok(first)
  const task = { ...TASK, attempts: [{ ...first, commits: many }], landing: null }
  const lines = traceLines({ commit: null, tasks: [task] }, { ...LOOK, width: 60 })
  assert.ok(lines.includes('  commits   … 10 earlier ones'))
  for (const one of lines) assert.ok(one.length <= 60, one)
})
