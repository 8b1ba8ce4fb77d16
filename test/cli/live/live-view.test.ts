import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { EventLines } from '../../../src/cli/live/event-line.ts'
import { openLiveView } from '../../../src/cli/live/live-view.ts'
import { statusTable } from '../../../src/cli/status/status-table.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { RunEvent } from '../../../src/index.ts'
import type { TaskStatus } from '../../../src/status.ts'
import type { RunView } from '../../../src/view.ts'
import { FakeTerminal } from '../fake-terminal.ts'
import { BASE, HEAD, sampleRun, sampleTask } from '../sample-run.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 0 }))
afterEach(() => mock.timers.reset())

/** Its tasks are `schema`, `client` and so on, with these statuses. */
function liveView(terminal: FakeTerminal, statuses: () => TaskStatus[], more: Partial<RunView> = {}) {
  let drawn = 0
  const cancelled: string[] = []
  const input = new PassThrough()
  const view = openLiveView({
    out: terminal.output,
    palette: palette(false),
    lines: new EventLines({ run: 'demo-1', tasks: 2, retries: 0, find: () => null }),
    table: ({ isStopping, ...options }) => {
      drawn += 1
      const tasks = statuses().map((status, index) =>
        sampleTask(NAMES[index] ?? `task-${index}`, status, begun(status)),
      )
      const run = sampleRun(tasks, { run: 'demo-1', branch: 'espalier/demo-1', slots: 2, ...more })
      return statusTable(run, { ...options, estimates: isStopping ? null : new Map() })
    },
    now: Date.now,
    keys: {
      input,
      openLog: () => assert.fail('no log is opened'),
      cancel: (task) => void cancelled.push(task),
      quit: () => {},
    },
  })
  const press = (keys: string) => {
    input.write(keys)
    input.read()
  }
  return { view, drawn: () => drawn, cancelled, press }
}

const NAMES = ['schema', 'client']

function begun(status: TaskStatus) {
  const finishedAt = status === 'landed' ? 60_000 : null
  const attempt = { attempt: 1, worker: 'local', slot: 1, base: BASE, startedAt: 0, finishedAt, outcome: null }
  const rest = { failure: null, commit: null, diff: null, usage: null, summary: null }
  return status === 'running' || status === 'landed' ? { history: [{ ...attempt, ...rest }] } : {}
}

const started = (task: string, at = Date.now()): RunEvent => {
  return { type: 'attempt.started', task, attempt: 1, slot: 1, base: BASE, deadline: 0, worker: 'local', seq: 1, at }
}
const landed = (task: string): RunEvent => {
  return { type: 'landing.landed', tasks: [task], commit: HEAD, onto: BASE, seq: 2, at: Date.now() }
}
const progress = (message: string): RunEvent => {
  return { type: 'attempt.progress', task: 'schema', attempt: 1, at: Date.now(), message }
}

const KEYS = '↑ ↓ select  enter log  c cancel  / filter  q leave, the ru'

test('shows what status shows, and what has ended scrolls up and stays', () => {
  const terminal = new FakeTerminal(60)
  let statuses: TaskStatus[] = ['running', 'pending']
  const { view } = liveView(terminal, () => statuses)
  view.event(started('schema'), true)
  view.event(progress('writing \x1b[1mtables'), true)
  mock.timers.tick(5_000)
  assert.deepEqual(terminal.screen, [
    '',
    'demo-1  running  branch espalier/demo-1',
    '╍╍╍╍╍╍╍───────  0/2 done  1 running  1 waiting  5.0s',
    '',
    '● schema  running              5s  writing tables',
    '· client  pending                  waits for a free slot',
    `${KEYS}…`,
  ])
  assert.equal(terminal.cursorVisible, false)

  statuses = ['landed', 'running']
  view.event(landed('schema'), true)
  view.event(started('client'), true)
  mock.timers.tick(1_000)
  assert.deepEqual(terminal.screen.slice(0, 3), [
    '✓ schema landed as a1b2c3d4',
    '',
    'demo-1  running  branch espalier/demo-1',
  ])
  assert.match(terminal.screen.at(-2) ?? '', /client {2}running/)

  view.close()
  assert.deepEqual(terminal.screen, ['✓ schema landed as a1b2c3d4'])
  assert.equal(terminal.cursorVisible, true)
})

test('with more tasks than rows some of the screen is left for what scrolls up', () => {
  const terminal = Object.assign(new FakeTerminal(60), { rows: 20 })
  const { view } = liveView(terminal, () => Array<TaskStatus>(100).fill('running'))
  view.draw()
  assert.equal(terminal.screen.length, 15)
  assert.match(terminal.screen.at(-2) ?? '', /… and \d+ more/)
  view.close()
})

test('a cursor goes over the tasks, and one of them can be cancelled', async () => {
  const terminal = new FakeTerminal(80)
  const { view, cancelled, press } = liveView(terminal, () => ['running', 'ready'])
  press('\x1b[B\x1b[B')
  await new Promise(setImmediate)
  assert.match(terminal.screen.find((line) => line.includes('client')) ?? '', /^› client/)
  press('cy')
  await new Promise(setImmediate)
  assert.deepEqual(cancelled, ['client'])
  press('/sch\r')
  await new Promise(setImmediate)
  assert.equal(
    terminal.screen.some((line) => line.includes('client')),
    false,
  )
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
  const screenAfter = (...events: RunEvent[]) => {
    const terminal = new FakeTerminal(100)
    const { view } = liveView(terminal, () => ['landed', 'running'])
    for (const event of events) view.event(event, true)
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

test('a burst of events is drawn at most ten times a second', () => {
  const terminal = new FakeTerminal()
  const { view } = liveView(terminal, () => ['running'])
  const before = terminal.writes
  for (let step = 0; step < 1_000; step += 1) {
    view.event(progress(`${step}`), true)
    mock.timers.tick(1)
  }
  assert.ok(terminal.writes - before <= 11, `${terminal.writes - before} drawings`)
  view.close()
})

test('a run that takes long to draw is drawn seldom', () => {
  const terminal = new FakeTerminal()
  const { view, drawn } = liveView(terminal, () => {
    mock.timers.setTime(Date.now() + 100) // it takes 100 ms
    return ['running']
  })
  for (let step = 0; step < 40; step += 1) {
    view.event(started('schema'), true)
    mock.timers.tick(100)
  }
  assert.ok(drawn() <= 4, `drawn ${drawn()} times in 4 s`)
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
  assert.ok(terminal.screen.length > 7, 'lines are wrapped')
  mock.timers.tick(100)
  assert.deepEqual(terminal.screen, [
    '',
    'demo-1  running  branch espalier/demo-1',
    '╍╍╍╍╍╍╍╍╍  0/1 done  1 running  0.1s',
    '',
    '● schema  running              0s',
    'stopping: ending 1 agent; press Ctrl-C',
    'again to leave it running',
    '↑ ↓ select  enter log  c cancel  / fil…',
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
