import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerLines } from '../../../src/cli/status/run-header.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { RunKind, TaskStatus } from '../../../src/status.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { sampleRun, sampleTask } from '../sample-run.ts'

const plain = palette(false)
const many = (number: number, status: TaskStatus) => Array<TaskStatus>(number).fill(status)
const tasksOf = (statuses: TaskStatus[]) => statuses.map((status, index) => sampleTask(`t${index}`, status))
const run = sampleRun(tasksOf([...many(10, 'landed'), ...many(3, 'running'), 'failed', ...many(6, 'pending')]))
const times = { elapsedMs: 65_000, leftMs: 40_000 }

test('the header says how a run stands in two lines', () => {
  assert.deepEqual(headerLines(run, times, { width: 100, palette: plain }), [
    'checkout-7  running  branch espalier/checkout-7',
    '━━━━━━━━━━━━━─╍╍╍╍───────  10/20 done  3 running  1 failed  6 waiting  1m 05s  about 40s left',
  ])
})

test('a narrow terminal loses the last pieces first, and the header never gets wider than it', () => {
  for (let width = 1; width <= 120; width += 1) {
    for (const line of headerLines(run, times, { width, palette: palette(true) }))
      assert.ok(displayWidth(line) <= width, `${width}`)
  }
  assert.deepEqual(headerLines(run, times, { width: 20, palette: plain }), ['checkout-7  running', '10/20 done'])
})

test('what failed is done in a suite and in a search, but not in a plan', () => {
  const tasks = tasksOf([...many(2, 'passed'), 'failed', 'cancelled'])
  const lineOf = (kind: RunKind) => headerLines(sampleRun(tasks, { kind }), times, { width: 80, palette: plain })[1]
  const rest = '1 failed  1 cancelled  1m 05s  about 40s left'
  assert.equal(lineOf('plan'), `━━━━━━━━━━──────────  2/4 done  ${rest}`)
  for (const kind of ['suite', 'search'] as const) assert.equal(lineOf(kind), `━━━━━━━━━━━━━━━━━━━━  4/4 done  ${rest}`)
})

const bars: { name: string; tasks: TaskStatus[]; bar: string }[] = [
  { name: 'no tasks', tasks: [], bar: '──────────' },
  { name: 'all done', tasks: many(3, 'landed'), bar: '━━━━━━━━━━' },
  { name: 'one of a thousand', tasks: ['landed', ...many(999, 'pending')], bar: '━─────────' },
  { name: 'what runs', tasks: ['landed', 'running', 'landing', ...many(2, 'ready')], bar: '━━╍╍╍╍────' },
  { name: 'nothing but failures', tasks: many(1, 'failed'), bar: '──────────' },
  { name: 'half', tasks: [...many(2, 'passed'), ...many(2, 'ready')], bar: '━━━━━─────' },
]
for (const { name, tasks, bar } of bars) {
  test(`the bar of ${name}`, () => {
    // A quarter of the line is the bar.
    const [, counts] = headerLines(sampleRun(tasksOf(tasks)), times, { width: 40, palette: plain })
    assert.equal(counts?.slice(0, bar.length + 2), `${bar}  `)
  })
}
