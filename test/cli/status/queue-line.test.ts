import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusLines } from '../../../src/cli/status/status-table.ts'
import { summaryLines } from '../../../src/cli/status/summary.ts'
import { flakeLine, queueLine } from '../../../src/cli/status/waiting-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { QueueView } from '../../../src/view.ts'
import { HEAD, sampleRun, sampleTask } from '../sample-run.ts'

function queueOf(...parts: [tasks: number, since: number][]): QueueView {
  const verifying = parts.map(([tasks, since], n) => ({ verification: n + 1, commit: HEAD, tasks, since }))
  return { batch: ['schema', 'client'], verifying, verifications: 14, flakes: 0 }
}

const cases: [name: string, queue: QueueView | undefined, line: string | null][] = [
  ['a run that verifies nothing', undefined, null],
  ['nothing at the moment', queueOf(), null],
  ['a part of what waits', queueOf([5, 2_000]), 'verifying 5 of 12 tasks that wait to land, for 40s'],
  [
    'several at once, since the first of them',
    queueOf([5, 2_000], [3, 40_000]),
    'verifying 5 and 3 of 12 tasks that wait to land, for 40s',
  ],
  ['three', queueOf([8, 2_000], [5, 2_000], [3, 2_000]), 'verifying 8, 5 and 3 of 12 tasks that wait to land, for 40s'],
  [
    'with flakes',
    { ...queueOf([5, 2_000]), flakes: 2 },
    'verifying 5 of 12 tasks that wait to land, for 40s, 2 flakes so far',
  ],
]
for (const [name, queue, line] of cases) test(name, () => assert.equal(queueLine(queue, 12, 42_000), line))

const waiting = [sampleTask('schema', 'landing'), sampleTask('client', 'landing')]
const options = { now: 42_000, width: 110, palette: palette(false), estimates: new Map() }

test('status shows what is verified now, and nothing of it when the engine is gone', () => {
  const queue = queueOf([2, 2_000])
  const line = '↑ verifying 2 of 2 tasks that wait to land, for 40s'
  assert.equal(statusLines(sampleRun(waiting, { queue }), options)[2], line)
  assert.ok(!statusLines(sampleRun(waiting, { queue, engine: null }), options).includes(line))
})

test('flakes are told at the end: in the summary, and in status', () => {
  const queue = { ...queueOf(), flakes: 2 }
  const line = '2 of 14 verifications failed and then passed on the same commit: `landing.verify` is flaky'
  assert.equal(flakeLine(queue), line)
  assert.equal(flakeLine(queueOf()), null)
  const view = sampleRun([sampleTask('schema', 'landed')], {
    status: 'completed',
    engine: null,
    resumable: false,
    queue,
  })
  assert.ok(statusLines(view, options).includes(`↑ ${line}`))
  assert.ok(
    summaryLines(view, {
      ...options,
      repeat: '',
      cwd: '/',
      landedOn: null,
      doneInFile: new Set<string>(),
      landedSince: new Map<string, string>(),
      unchanged: [],
    }).includes(`↑ ${line}`),
  )
})
