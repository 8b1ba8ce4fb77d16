import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { EventLines } from '../../../src/cli/live/event-line.ts'
import { jsonView, plainView, showEvents } from '../../../src/cli/live/plain-and-json-views.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { RunEvent, RunResult } from '../../../src/index.ts'
import { FakeTerminal } from '../fake-terminal.ts'
import { BASE, countsOf, HEAD } from '../sample-run.ts'

const events: RunEvent[] = [
  {
    type: 'attempt.started',
    task: 'schema',
    attempt: 1,
    slot: 1,
    base: BASE,
    deadline: 0,
    worker: 'local',
    seq: 1,
    at: 1_000,
  },
  { type: 'attempt.progress', task: 'schema', attempt: 1, at: 2_500, message: 'half way' },
  { type: 'landing.landed', tasks: ['schema'], commit: HEAD, onto: BASE, seq: 2, at: 63_000 },
  { type: 'run.finished', status: 'completed', seq: 3, at: 63_100 },
]
const shown: Omit<RunResult, 'budgets'> = {
  run: 'demo-1',
  status: 'completed',
  interrupted: false,
  branch: 'espalier/demo-1',
  base: BASE,
  head: HEAD,
  counts: countsOf(['landed']),
  batches: [],
  totalBatches: 0,
  completedBatches: 0,
  totalTasks: 1,
  completedTasks: 1,
  failures: [],
  durationMs: 62_100,
  costUsd: 0,
  publishTrouble: null,
  unwritten: [],
  stuck: null,
  takenOver: false,
}
/** A run without budgets, of which JSON says nothing. */
const result: RunResult = { ...shown, budgets: undefined }

const lines = () => new EventLines({ run: 'demo-1', tasks: 1, retries: 0, find: () => null })

test('in a pipe every event is a line with the time since the start', () => {
  const out = new FakeTerminal(200)
  const view = plainView({
    out: out.output,
    palette: palette(false),
    lines: lines(),
    startedAt: 1_000,
    now: () => 61_000,
  })
  for (const event of events) view.event(event, true)
  view.note('stopping')
  assert.deepEqual(out.screen, [
    '   0.0s  ● schema started',
    '   1.5s  ● schema: half way',
    '  62.0s  ✓ schema landed as a1b2c3d4',
    '  62.1s    run demo-1 completed',
    '  60.0s  stopping',
  ])
})

test('a time before the start counts as the start', () => {
  const [out, colours] = [new FakeTerminal(200), palette(false)]
  plainView({ out: out.output, palette: colours, lines: lines(), startedAt: 1_000, now: () => 995 }).note('early')
  assert.deepEqual(out.screen, ['   0.0s  early'])
})

test('with --json every line is an event and the last one is the result', () => {
  const [out, err] = [new FakeTerminal(10_000), new FakeTerminal(200)]
  const view = jsonView('demo-1', out.output, err.output, () => 0)
  for (const event of events) view.event(event, true)
  view.note('stopping')
  view.finish(result)
  const lines = out.screen.map((line) => JSON.parse(line))
  const [first, ...others] = events.slice(0, -1)
  assert.deepEqual(lines.slice(0, -1), [{ version: 1, ...first, run: 'demo-1' }, ...others])
  assert.deepEqual(lines.at(-1), { version: 1, ...events.at(-1), ...shown })
  assert.deepEqual(err.screen, ['stopping'])
})

test('with --json the first line names the run, also when it is resumed', () => {
  const landing = { verify: false, window: 1, allgreen: false, reruns: 0 }
  const limits = { slots: 1, maxPerEpic: null, schedule: 'eager', strict: false, onStall: 'report', landing } as const
  const budget = { usd: null, onReached: 'finish' as const }
  const rest = {
    limits: {
      ...limits,
      timeoutMs: 1,
      retries: 0,
      claims: 'warn' as const,
      backoff: { initialMs: 1, maxMs: 2 },
      budget,
    },
    at: 1,
    seq: 1,
  }
  const firsts: RunEvent[] = [
    { type: 'run.started', base: BASE, branch: 'espalier/demo-1', seed: 1, ...rest },
    { type: 'run.resumed', ...rest },
  ]
  for (const first of firsts) {
    const out = new FakeTerminal(10_000)
    jsonView('demo-1', out.output, out.output, () => 0).event(first, true)
    assert.deepEqual(JSON.parse(out.screen[0] ?? ''), { version: 1, ...first, run: 'demo-1' })
  }
})

test('with --json an interrupted run ends with run.finished too', () => {
  const out = new FakeTerminal(10_000)
  const view = jsonView('demo-1', out.output, out.output, () => 7_000)
  view.finish({ ...result, status: 'running', interrupted: true })
  const { type, at, status, interrupted } = JSON.parse(out.screen.at(-1) ?? '')
  assert.deepEqual(
    { type, at, status, interrupted },
    { type: 'run.finished', at: 7_000, status: 'running', interrupted: true },
  )
})

test('with --json what an earlier process told is left out', () => {
  const out = new FakeTerminal(10_000)
  const view = jsonView('demo-1', out.output, out.output, () => 0)
  for (const event of events.slice(0, 2)) view.event(event, false)
  assert.deepEqual(out.screen, [])
})

/** A reader that takes nothing until it is told to. */
function slowReader() {
  const waiting: (() => void)[] = []
  const out = new Writable({ highWaterMark: 10, write: (_chunk, _encoding, done) => void waiting.push(done) })
  return { out, read: () => waiting.shift()?.() }
}

test('a slow reader holds the events up instead of filling the memory', async () => {
  const { out, read } = slowReader()
  let taken = 0
  async function* source(): AsyncGenerator<RunEvent> {
    for (taken = 1; taken <= 3; taken++) yield { type: 'run.cancelled', request: null, seq: taken, at: taken }
  }
  const told = showEvents(
    source(),
    jsonView('demo-1', out, out, () => 0),
    0,
  )
  await new Promise(setImmediate)
  assert.equal(taken, 1)
  for (const next of [2, 3]) {
    const drained = once(out, 'drain')
    read()
    await drained
    await new Promise(setImmediate)
    assert.equal(taken, next)
  }
  read()
  await told
  assert.equal(taken, 4)
})

test('a reader that goes away holds nothing up', async () => {
  const { out } = slowReader()
  out.on('error', () => {})
  const view = plainView({ out, palette: palette(false), lines: lines(), startedAt: 0, now: () => 0 })
  const shown = view.event({ type: 'run.cancelled', request: null, seq: 1, at: 1 }, true)
  assert.ok(shown instanceof Promise)
  out.destroy(new Error('EPIPE'))
  await shown
})

test('a fast reader costs no wait', () => {
  const out = new FakeTerminal(10_000)
  const [event] = events
  assert.ok(event)
  assert.equal(jsonView('demo-1', out.output, out.output, () => 0).event(event, true), undefined)
})
