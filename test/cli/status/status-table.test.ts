import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusLines, statusTable } from '../../../src/cli/status/status-table.ts'
import { runLines } from '../../../src/cli/tables/runs-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { BASE, CHOICE, HEAD, sampleRun, sampleTask } from '../sample-run.ts'

const attempt = {
  attempt: 1,
  worker: 'local',
  slot: 1,
  base: BASE,
  startedAt: 0,
  finishedAt: 10_000,
  outcome: 'changed',
  failure: null,
  commit: HEAD,
  diff: { files: 2, insertions: 30, deletions: 1 },
  usage: null,
  summary: 'made the tables',
} as const
const view = sampleRun([
  sampleTask('schema', 'landed', { durationMs: 99_000, history: [attempt] }),
  sampleTask('client', 'running', {
    startedAt: 0,
    title: 'Write the client',
    attempts: 2,
    history: [
      { ...attempt, finishedAt: 3_000, outcome: 'failed', failure: { reason: 'agent-failed', message: 'exit 1' } },
      { ...attempt, attempt: 2, startedAt: 15_000, finishedAt: null, outcome: null },
    ],
  }),
  sampleTask('site', 'failed', {
    history: [{ ...attempt, finishedAt: 5_000 }],
    failure: { reason: 'timeout', message: 'ended after 5s' },
  }),
  sampleTask('docs', 'blocked', { failure: { reason: 'need-failed', message: 'site failed', cause: 'site' } }),
  sampleTask('tests', 'pending', {
    retryAt: 60_000,
    attempts: 1,
    failure: { reason: 'agent-failed', message: 'exit 3' },
  }),
])
const options = { now: 42_000, width: 90, palette: palette(false), estimates: new Map() }

test('a row per task: status, attempts, time, and what or why', () => {
  assert.deepEqual(statusLines(view, options).slice(3), [
    '✓ schema  landed              10s  2 files +30 -1  made the tables',
    '● client  running     2×      30s  Write the client',
    '✗ site    failed             5.0s  timeout: ended after 5s',
    '■ docs    blocked                  need-failed: site failed',
    '· tests   pending                  retry in 18s, after agent-failed: exit 3',
  ])
})

test('a task that waits for the claim of another says for whom, and what it wants', () => {
  const waiting = sampleRun([sampleTask('a', 'running'), sampleTask('b', 'ready'), sampleTask('c', 'ready')])
  const holder = { kind: 'task', name: 'a' } as const
  const claimWaits = new Map([['b', { task: 'b', glob: 'src/**', holder }]])
  assert.deepEqual(statusLines(waiting, { ...options, claimWaits }).slice(-2), [
    '○ b  ready                    waits for a: src/**',
    '○ c  ready                    waits for a free slot',
  ])
})

test('the time before a run was resumed is no time of it', () => {
  const lines = (idleMs: number) => statusLines({ ...view, engine: { pid: 1 }, idleMs }, options)
  assert.match(lines(0)[1] ?? '', / {2}42s/)
  assert.match(lines(30_000)[1] ?? '', / {2}12s/)
})

test('a task that a fallback does says who it is, and until when the other is paused', () => {
  const noon = (day: number) => new Date(2026, 0, day, 12, 5).getTime()
  const rowOf = (until: number) => {
    const insteadOf = { agent: 'claude', until }
    const history = [{ ...attempt, startedAt: noon(1), finishedAt: null, outcome: null, agent: 'codex', insteadOf }]
    const tasks = [sampleTask('client', 'running', { attempts: 1, history })]
    return statusLines(sampleRun(tasks), { ...options, width: 100, now: noon(1) }).at(-1)
  }
  const row = '● client  running              0s  codex (instead of claude, paused until '
  assert.equal(rowOf(noon(1) + 25 * 60_000), `${row}12:30)`)
  assert.equal(rowOf(noon(9)), `${row}2026-01-09 12:05)`)
})

test('a running task names the model that was chosen for it', () => {
  const history = [{ ...attempt, finishedAt: null, outcome: null, choice: CHOICE }]
  const tasks = [sampleTask('client', 'running', { title: 'Write it', history })]
  const lineWith = (messages = new Map<string, string>()) =>
    statusLines(sampleRun(tasks), { ...options, width: 120, messages }).at(-1)
  assert.equal(lineWith(), '● client  running             42s  claude-haiku-4-5 (1 of 3): general, complexity 0.20')
  assert.equal(
    lineWith(new Map([['client/1', 'reads\n\x1b[1mit']])),
    '● client  running             42s  claude-haiku-4-5 (1 of 3): reads it',
  )
})

test('what an agent reported last is shown, after the agent it replaces and the time of its silence', () => {
  const running = { ...attempt, finishedAt: null, outcome: null }
  const insteadOf = { agent: 'claude', until: 99_000 }
  const tasks = [
    sampleTask('client', 'running', { title: 'Write it', history: [running] }),
    sampleTask('server', 'running', { history: [{ ...running, agent: 'codex', insteadOf }] }),
    sampleTask('schema', 'running', { stalledSince: 12_000, history: [running] }),
  ]
  const messages = new Map(tasks.map(({ id }) => [`${id}/1`, `writes ${id}`]))
  const lines = statusLines(sampleRun(tasks), { ...options, now: 372_000, messages }).slice(3)
  assert.deepEqual(
    lines.map((line) => line.slice(34).trim()),
    ['writes client', 'codex, instead of claude: writes server', 'silent for 6m 00s, after: writes schema'],
  )
})

test('a running task whose agent fell silent says for how long', () => {
  const stalled = sampleRun([
    sampleTask('client', 'running', {
      title: 'Write it',
      stalledSince: 12_000,
      history: [{ ...attempt, finishedAt: null, outcome: null }],
    }),
  ])
  const [line] = statusLines(stalled, { ...options, now: 372_000 }).slice(3)
  assert.equal(line, '● client  running          6m 12s  silent for 6m 00s')
})

test('a task whose work waits to land says what of it nobody had claimed', () => {
  const waiting = { history: [{ ...attempt, undeclared: { paths: ['gen/'], count: 9 } }] }
  const [line] = statusLines(sampleRun([sampleTask('client', 'landing', waiting)]), options).slice(3)
  assert.equal(line, '↑ client  landing             10s  outside its claims: gen/ (9 paths)')
})

test('a task of an interrupted run is tried again when the run goes on', () => {
  const lines = statusLines({ ...view, engine: null }, options)
  assert.match(lines.at(-1) ?? '', /retry on resume, after agent-failed: exit 3/)
})

test('off a terminal nothing is cut', () => {
  const message = 'very '.repeat(100)
  const failed = sampleTask('a-rather-long-name-of-a-task', 'failed', { failure: { reason: 'timeout', message } })
  const lines = statusLines(sampleRun([failed]), { ...options, width: Number.POSITIVE_INFINITY })
  assert.ok(lines.at(-1)?.includes(message.trim()) && !lines.at(-1)?.includes('…'))
})

test('the list of runs says when each was started', () => {
  assert.match(
    runLines([view], 60_000)[0] ?? '',
    /^checkout-7 {2}running {2}1\/5 done, 1 failed {2}started 1m 00s ago$/,
  )
})

test('in the list of runs a run whose engine was killed is interrupted, as it is in its own table', () => {
  assert.match(runLines([{ ...view, engine: null }], 60_000)[0] ?? '', /^checkout-7 {2}interrupted {2}/)
  assert.match(runLines([{ ...view, engine: null, status: 'waiting' }], 60_000)[0] ?? '', /^checkout-7 {2}waiting {2}/)
})

test('a run in which nothing failed but something was cancelled is incomplete', () => {
  const over = { engine: null, resumable: false, status: 'failed' } as const
  const cancelled = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'cancelled')], over)
  assert.match(statusLines(cancelled, options)[0] ?? '', /^checkout-7 {2}incomplete {2}/)
  assert.match(runLines([cancelled], 0)[0] ?? '', /^checkout-7 {2}incomplete {2}1\/2 done {2}/)
  const failed = sampleRun([sampleTask('a', 'failed'), sampleTask('b', 'cancelled')], over)
  assert.match(statusLines(failed, options)[0] ?? '', /^checkout-7 {2}failed {2}/)
})

test('the list of runs says which of them are in what is checked out', () => {
  const runs = [view, { ...view, run: 'checkout-6', branch: 'espalier/checkout-6' }]
  const [here, landed] = runLines(runs, 0, { head: 'main', has: new Set(['checkout-6']) })
  assert.match(here ?? '', /started 0\.0s ago$/)
  assert.match(landed ?? '', /^checkout-6 .* {2}landed on main$/)
})

test('a long id leaves room for what a task did, the more the wider the line is', () => {
  const long = sampleTask('a'.repeat(99), 'failed', { failure: { reason: 'timeout', message: 'very '.repeat(30) } })
  const roomOf = (width: number) =>
    statusLines(sampleRun([long]), { ...options, width })
      .at(-1)
      ?.split('  ')
      .at(-1)?.length
  assert.deepEqual([roomOf(80), roomOf(120), roomOf(160)], [21, 34, 47])
})

const plans: { planFile: string; shown: string }[] = [
  { planFile: `${view.repo}/specs/003-search/tasks.md`, shown: 'specs/003-search/tasks.md' },
  { planFile: `${view.repo}-plans/plan.yaml`, shown: 'plan.yaml' },
  { planFile: `${view.repo}/\u001b[31mred.yaml`, shown: 'red.yaml' },
]
for (const { planFile, shown } of plans) {
  test(`the list of runs names the plan file as it is called in the repository: ${shown}`, () => {
    const [named, other] = runLines([{ ...view, planFile }, view], 0)
    assert.equal(named?.split('  ').at(-1), shown)
    assert.equal(other?.split('  ').at(-1), 'started 0.0s ago')
  })
}

test('the header says how the run stands', () => {
  const [title, counts] = statusLines(view, options)
  assert.equal(title, 'checkout-7  running  branch espalier/checkout-7')
  assert.match(counts ?? '', /1\/5 done {2}1 running {2}1 failed {2}1 blocked {2}1 waiting {2}42s/)
})

test('the finish time comes from what tasks are estimated to take', () => {
  const running = { history: [{ ...attempt, startedAt: 0, finishedAt: null, outcome: null }] }
  const atWork = sampleRun([sampleTask('client', 'running', running), sampleTask('site', 'pending')], { slots: 1 })
  const countsWith = (estimates: [string, number][]) =>
    statusLines(atWork, { ...options, estimates: new Map(estimates) })[1] ?? ''
  assert.doesNotMatch(countsWith([]), /about/, 'nothing is known of any')
  const minutes = (count: number) => count * 60_000
  assert.match(
    countsWith([
      ['client', minutes(1)],
      ['site', minutes(2)],
    ]),
    /about 2m 18s left/,
  )
})

test('long ids that begin alike can be told apart; what is said of them is cut first', () => {
  const ids = ['one', 'two', 'three'].map((part) => `implement-the-customer-facing-part-of-the-shop-${part}`)
  const tasks = ids.map((id) => sampleTask(id, 'pending', { title: `Implement the customer-facing part: ${id}` }))
  const rows = (width: number) => statusLines(sampleRun(tasks), { ...options, width }).slice(3)
  const narrow = rows(79)
  assert.equal(narrow[0]?.slice(0, 41), '· implement-the-c…f-the-shop-one  pending')
  assert.ok(ids.every((id, at) => narrow[at]?.includes(`-${id.split('-').at(-1)}  `)))
  assert.ok(ids.every((id, at) => rows(120)[at]?.includes(` ${id} `)))
})

test('no line is wider than the terminal', () => {
  for (const width of [30, 50, 79, 120]) {
    for (const line of statusLines(view, { ...options, width }))
      assert.ok(displayWidth(line) <= Math.max(width, 44), line)
  }
})

test('where rows are scarce, what runs and what failed comes first', () => {
  const lines = statusLines(view, { ...options, rows: 7 })
  assert.equal(lines.length, 7)
  assert.deepEqual(
    lines.slice(3).map((line) => line.slice(0, 8).trimEnd()),
    ['● client', '✗ site', '■ docs', '  … and'],
  )
})

test('a table of 150,000 tasks, and a list of as many runs', () => {
  const tasks = Array.from({ length: 150_000 }, (_, i) => sampleTask(`task-${i}`, 'pending'))
  const large = sampleRun(tasks)
  assert.equal(statusLines(large, options).length, 3 + tasks.length)
  assert.equal(runLines(Array(150_000).fill(large), 0).length, 150_000)
})

test('a filter shows what has the word in its id, title, epic or status, and the selected task is in sight', () => {
  const tasks = Array.from({ length: 40 }, (_, n) => sampleTask(`task-${n}`, n === 0 ? 'failed' : 'running'))
  const tableWith = (more: { filter?: string; selected?: string }) =>
    statusTable(sampleRun(tasks), { ...options, rows: 10, ...more })
  assert.deepEqual(tableWith({ filter: 'FAIL' }).listed, ['task-0'])
  assert.equal(tableWith({ filter: 'nothing' }).lines.at(-1), '  no such task')
  const { lines, listed } = tableWith({ selected: 'task-20' })
  assert.equal(listed.length, 40)
  assert.ok(lines.some((line) => line.startsWith('› task-20')))
  assert.equal(lines.length, 10)
})
