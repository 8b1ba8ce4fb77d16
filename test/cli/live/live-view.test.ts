import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import type { BudgetsView } from '../../../src/budget.ts'
import type { Hold } from '../../../src/claim.ts'
import type { RunFacts } from '../../../src/cli/live/event-line.ts'
import { LiveView, taskLines } from '../../../src/cli/live/live-view.ts'
import { type HeldBack, NONE_HELD_BACK } from '../../../src/cli/status/waiting-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { roughWorkLeft } from '../../../src/facts/time-left.ts'
import type { RunEvent } from '../../../src/index.ts'
import type { PauseView, QueueView, TaskStatus } from '../../../src/status.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { taskOf } from '../../reports/sample.ts'
import { FakeTerminal } from '../fake-terminal.ts'
import { BASE, CHOICE, countsOf, HEAD } from '../sample-run.ts'

const plain = palette(false)
const facts: RunFacts = {
  run: 'demo-1',
  retries: 0,
  tasks: new Map([
    ['schema', { tries: 2, land: true }],
    ['client', { tries: 1, land: true }],
  ]),
  view: (id) => taskOf({ id, history: [{ attempt: 3, try: 1, finishedAt: null }] }),
}
const quiet = { message: '', stalledSince: null, stopping: false }
const running = (id: string, more = {}) => ({ id, attempt: 1, startedAt: 0, ...quiet, ...more })

test('a running task has its attempt, its time and what it said last', () => {
  const tasks = [running('client', { startedAt: 1_000 }), running('schema', { message: 'writing \x1b[1mtables' })]
  assert.deepEqual(taskLines(tasks, facts, { now: 13_000, width: 80, rows: 10, palette: plain }), [
    '● schema      13s  writing tables',
    '● client      12s',
  ])
})

test('running tasks stand in the order of the plan, whoever started first', () => {
  const tasks = [running('unplanned'), running('client'), running('schema', { startedAt: 5 })]
  assert.deepEqual(
    taskLines(tasks, facts, { now: 10, width: 80, rows: 10, palette: plain }).map((line) => line.split(' ')[1]),
    ['schema', 'client', 'unplanned'],
  )
})

test('an attempt after an interruption says which one it is, of one more', () => {
  const tasks = [running('schema', { attempt: 3 }), running('client')]
  assert.deepEqual(taskLines(tasks, facts, { now: 1_000, width: 80, rows: 10, palette: plain }), [
    '● schema  attempt 3 of 4       1s',
    '● client                       1s',
  ])
})

test('a task whose agent fell silent says for how long', () => {
  const tasks = [
    running('schema', { stalledSince: 13_000, message: 'compiling' }),
    running('client', { stalledSince: 1 }),
  ]
  assert.deepEqual(taskLines(tasks, facts, { now: 373_000, width: 80, rows: 10, palette: plain }), [
    '● schema   6m 13s  silent for 6m 00s, after: compiling',
    '● client   6m 13s  silent for 6m 13s',
  ])
})

test('an agent that stands in for another is named, and so is the other', () => {
  const until = new Date(new Date(0).setHours(12, 30)).getTime()
  const fallback = { agent: 'codex', insteadOf: { agent: 'claude', until } }
  const tasks = [running('schema', fallback), running('client', { ...fallback, message: 'reads' })]
  assert.deepEqual(taskLines(tasks, facts, { now: 1_000, width: 80, rows: 10, palette: plain }), [
    '● schema       1s  codex (instead of claude, paused until 12:30)',
    '● client       1s  codex, instead of claude: reads',
  ])
})

test('a model that was chosen is named: why, until its agent says something', () => {
  const tasks = [running('schema', { choice: CHOICE }), running('client', { choice: CHOICE, message: 'reads' })]
  assert.deepEqual(taskLines(tasks, facts, { now: 1_000, width: 80, rows: 10, palette: plain }), [
    '● schema       1s  claude-haiku-4-5 (1 of 3): general, complexity 0.20',
    '● client       1s  claude-haiku-4-5: reads',
  ])
})

test('lines never get wider than the terminal', () => {
  const tasks = [running('a-rather-long-name-of-a-task', { message: '日本語 '.repeat(40), attempt: 12 })]
  for (let columns = 1; columns < 100; columns += 1) {
    for (const line of taskLines(tasks, facts, { now: 5_000, width: columns, rows: 5, palette: palette(true) })) {
      assert.ok(displayWidth(line) <= Math.max(columns, 2), `${columns}: ${line}`)
    }
  }
})

test('more tasks than rows: the rest is counted', () => {
  const tasks = ['a', 'b', 'c', 'd'].map((id) => running(id))
  assert.deepEqual(
    taskLines(tasks, facts, { now: 0, width: 40, rows: 3, palette: plain }).map((line) => line.trim().split('  ')[0]),
    ['● a', '● b', '… and 2 more'],
  )
})

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 0 }))
afterEach(() => mock.timers.reset())

function liveView(
  terminal: FakeTerminal,
  statuses: () => TaskStatus[],
  queue?: QueueView,
  paused?: PauseView[],
  budgets?: BudgetsView,
  holds?: Hold[],
  heldBack: HeldBack = NONE_HELD_BACK,
) {
  let asked = 0
  const view = new LiveView({
    out: terminal.output,
    palette: plain,
    facts,
    startedAt: 0,
    summary: () => {
      asked += 1
      const waits = { ...(queue && { queue }), ...(paused && { paused }), ...(holds && { holds }) }
      const counts = countsOf(statuses())
      return { branch: 'espalier/demo-1', slots: 2, counts, ...waits, ...(budgets && { budgets }) }
    },
    heldBack: () => heldBack,
    left: (measured) => {
      const { pending, ready } = countsOf(statuses())
      return roughWorkLeft(pending + ready, measured)
    },
    estimateMs: () => null,
    now: Date.now,
  })
  return { view, asked: () => asked }
}

const started = (task: string, at = Date.now()): RunEvent => {
  return { type: 'attempt.started', task, attempt: 1, slot: 1, base: BASE, deadline: 0, worker: 'local', seq: 1, at }
}
const landed = (task: string): RunEvent => {
  return { type: 'landing.landed', tasks: [task], commit: HEAD, onto: BASE, seq: 2, at: Date.now() }
}

test('finished tasks scroll up and stay, running ones are redrawn in place', () => {
  const terminal = new FakeTerminal(60)
  let statuses: TaskStatus[] = ['running', 'pending']
  const { view } = liveView(terminal, () => statuses)
  view.event(started('schema'), true)
  mock.timers.tick(5_000)
  assert.deepEqual(terminal.screen, [
    '',
    'demo-1  branch espalier/demo-1',
    '╍╍╍╍╍╍╍───────  0/2 done  1 running  1 waiting  5.0s',
    '● schema       5s',
  ])
  assert.equal(terminal.cursorVisible, false)

  statuses = ['landed', 'running']
  view.event(landed('schema'), true)
  view.event(started('client'), true)
  mock.timers.tick(1_000)
  assert.deepEqual(terminal.screen.slice(0, 3), ['✓ schema landed as a1b2c3d4', '', 'demo-1  branch espalier/demo-1'])
  assert.match(terminal.screen.at(-1) ?? '', /client/)

  view.close()
  assert.deepEqual(terminal.screen, ['✓ schema landed as a1b2c3d4'])
  assert.equal(terminal.cursorVisible, true)
})

test('what is being verified has a line of its own, with the time', () => {
  const terminal = new FakeTerminal(60)
  const verifying = [{ verification: 1, commit: HEAD, tasks: 2, since: Date.now() }]
  const queue = { batch: ['schema', 'client'], verifying, verifications: 1, flakes: 0 }
  const { view } = liveView(terminal, () => ['landing', 'landing'], queue)
  mock.timers.tick(40_000)
  assert.equal(terminal.screen.at(-1), '↑ verifying 2 of 2 tasks that wait to land, for 40s')
  view.close()
})

test('so has what a person holds', () => {
  const terminal = new FakeTerminal(60)
  const holds = [{ id: 1, name: 'ana', glob: 'src/**', since: 0, until: Date.now() + 170_000 }]
  const { view } = liveView(terminal, () => ['ready', 'ready'], undefined, undefined, undefined, holds)
  mock.timers.tick(40_000)
  assert.equal(terminal.screen.at(-1), '· ana holds src/** for 2m 10s')
  view.close()
})

const limits = {
  timeoutMs: 60_000,
  retries: 1,
  slots: 2,
  maxPerEpic: null,
  schedule: 'eager',
  strict: false,
  backoff: { initialMs: 1, maxMs: 2 },
  onStall: 'report',
  claims: 'warn',
  budget: { usd: null, onReached: 'finish' },
  landing: { verify: false, window: 1, allgreen: false, reruns: 0 },
} as const

test('once it is stopped no finish time is guessed, until it goes on', () => {
  const passed = { outcome: 'changed', commit: HEAD, failure: null, diff: null, usage: null, summary: null } as const
  const history: RunEvent[] = [
    started('schema', 0),
    { type: 'attempt.finished', task: 'schema', attempt: 1, ...passed, seq: 2, at: 60_000 },
  ]
  const screenAfter = (...events: RunEvent[]) => {
    const terminal = new FakeTerminal(100)
    const { view } = liveView(terminal, () => ['landed', 'running'])
    for (const event of [...history, started('client', 0), ...events]) view.event(event, true)
    view.draw()
    const { screen } = terminal
    view.close()
    return screen.join('\n')
  }
  const interrupted: RunEvent = { type: 'run.interrupted', request: null, seq: 3, at: 60_000 }
  assert.match(screenAfter(), /about 1m 00s left/)
  assert.doesNotMatch(screenAfter(interrupted), /about/)
  assert.doesNotMatch(screenAfter({ type: 'run.cancelled', request: 1, seq: 3, at: 60_000 }), /about/)
  assert.match(screenAfter(interrupted, { type: 'run.resumed', limits, seq: 4, at: 60_000 }), /about 1m 00s left/)
})

test('while something waits for a person, that is said, and no finish time', () => {
  const hold = { id: 1, name: 'ana', glob: 'src/**', since: 0, until: 170_000 }
  const passed = { outcome: 'changed', commit: HEAD, failure: null, diff: null, usage: null, summary: null } as const
  const screenWith = (heldBack: HeldBack) => {
    const terminal = new FakeTerminal(100)
    const { view } = liveView(terminal, () => ['landed', 'ready'], undefined, undefined, undefined, [hold], heldBack)
    view.event(started('schema', 0), true)
    view.event({ type: 'attempt.finished', task: 'schema', attempt: 1, ...passed, seq: 2, at: 60_000 }, true)
    view.draw()
    const { screen } = terminal
    view.close()
    return screen.join('\n')
  }
  assert.match(screenWith(NONE_HELD_BACK), /about 1m 00s left/)
  const waits = screenWith({ ready: new Map([['client', hold]]), some: true })
  assert.match(waits, /· 1 task waits for ana's hold on src\/\*\*, 2m 50s left: client/)
  assert.doesNotMatch(waits, /about/)
})

test('an agent that is paused has a line with the time that is left', () => {
  const terminal = new FakeTerminal(60)
  const paused: PauseView[] = [{ agent: 'claude', until: Date.now() + 170_000, why: 'limited' }]
  const { view } = liveView(terminal, () => ['ready', 'ready'], undefined, paused)
  mock.timers.tick(40_000)
  assert.equal(terminal.screen.at(-1), '· claude is paused for 2m 10s (rate limit)')
  mock.timers.tick(130_000)
  assert.doesNotMatch(terminal.screen.join('\n'), /paused/)
  view.close()
})

test('a burst of events is drawn at most ten times a second', () => {
  const terminal = new FakeTerminal()
  const { view } = liveView(terminal, () => ['running'])
  const before = terminal.writes
  for (let step = 0; step < 1_000; step += 1) {
    view.event({ type: 'attempt.progress', task: 'schema', attempt: 1, at: step, message: `${step}` }, true)
    mock.timers.tick(1)
  }
  assert.ok(terminal.writes - before <= 11, `${terminal.writes - before} drawings`)
  view.close()
})

test('a run that is slow to count is asked seldom', () => {
  const terminal = new FakeTerminal()
  const { view, asked } = liveView(terminal, () => {
    mock.timers.setTime(Date.now() + 100) // the answer takes 100 ms
    return ['running']
  })
  for (let step = 0; step < 40; step += 1) {
    view.event(started('schema'), true)
    mock.timers.tick(100)
  }
  assert.ok(asked() <= 4, `asked ${asked()} times in 4 s`)
  view.close()
})

test('what happened before a resume is known but not told again', () => {
  const terminal = new FakeTerminal()
  const { view } = liveView(terminal, () => ['landed', 'running'])
  view.event(landed('schema'), false)
  view.event(started('client'), false)
  mock.timers.tick(100)
  assert.ok(!terminal.screen.join('\n').includes('landed as'))
  assert.ok(terminal.screen.join('\n').includes('● client'))
  view.close()
})

test('a terminal made narrower leaves no remains', () => {
  const terminal = new FakeTerminal(100)
  const { view } = liveView(terminal, () => ['running'])
  view.note('stopping: ending 1 agent; press Ctrl-C again to leave it running')
  terminal.resize(40)
  assert.equal(terminal.screen.length, 6, 'two lines are wrapped')
  mock.timers.tick(100)
  assert.deepEqual(terminal.screen, [
    '',
    'demo-1  branch espalier/demo-1',
    '╍╍╍╍╍╍╍╍╍  0/1 done  1 running  0.1s',
    'stopping: ending 1 agent; press Ctrl-C',
    'again to leave it running',
  ])
  view.close()
})

test('what scrolls up is broken between words', () => {
  const terminal = new FakeTerminal(40)
  const { view } = liveView(terminal, () => ['failed'])
  const message = 'npm test exited with status 1 after all of it'
  const failure = { reason: 'verify-failed', message } as const
  const rest = { commit: null, diff: null, usage: null, summary: null, seq: 2, at: 0 }
  view.event({ type: 'attempt.finished', task: 'client', attempt: 1, outcome: 'failed', failure, ...rest }, true)
  view.close()
  assert.deepEqual(terminal.screen, [
    '✗ client failed: verify-failed: npm',
    '  test exited with status 1 after all',
    '  of it',
  ])
})
