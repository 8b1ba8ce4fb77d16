import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusLines } from '../../../src/cli/status/status-table.ts'
import { pauseBegan, pauseLines } from '../../../src/cli/status/waiting-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { PauseView } from '../../../src/view.ts'
import { sampleRun, sampleTask } from '../sample-run.ts'

const paused: PauseView[] = [
  { agent: 'claude', until: 130_000, why: 'limited' },
  { agent: 'codex', until: 20_000, why: 'broken' },
  { agent: 'gemini', until: 15_000, why: 'unreachable' },
  { agent: 'opencode', until: 10_000, why: 'login' },
]

test('how long is counted down, and nothing is said of a pause that is over', () => {
  assert.deepEqual(pauseLines(paused, 0), [
    'claude is paused for 2m 10s (rate limit)',
    'codex is paused for 20s (it crashed again and again)',
    'gemini is paused for 15s (its provider cannot be reached)',
    'opencode is paused for 10s (its login is not accepted; see `espalier doctor`)',
  ])
  assert.deepEqual(pauseLines(paused, 20_000), ['claude is paused for 1m 50s (rate limit)'])
  assert.deepEqual(pauseLines(paused, 130_000), [])
  assert.deepEqual(pauseLines(undefined, 0), [])
})

test('what waits for a login, and what goes first after a pause, says so', () => {
  const waits: PauseView[] = [
    { agent: 'claude', until: 5, why: 'login', needsLogin: true },
    { agent: 'codex', until: 5, why: 'limited', probe: 'api' },
  ]
  assert.deepEqual(pauseLines(waits, 10), [
    'claude is paused until you log in: then `espalier resume` (its login is not accepted; see `espalier doctor`)',
    'codex: api checks whether its provider answers; the other tasks follow',
  ])
  const [limited] = paused
  assert.ok(limited)
  assert.match(pauseBegan(limited, 0) ?? '', /^claude is paused for 2m 10s, until \d\d:\d\d \(rate limit\)$/)
})

test('status shows it while an engine works', () => {
  const options = { now: 100_000, width: 110, palette: palette(false), estimates: new Map() }
  const tasks = [sampleTask('schema', 'ready')]
  const line = '· claude is paused for 30s (rate limit)'
  assert.equal(statusLines(sampleRun(tasks, { paused }), options)[2], line)
  assert.ok(!statusLines(sampleRun(tasks, { paused, engine: null }), options).includes(line))
})
