import assert from 'node:assert/strict'
import { test } from 'node:test'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { reportLines, sectionLines } from '../../../src/cli/terminal/section-lines.ts'
import { planSummary } from '../../../src/reports/plan-summary.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { planOverview } from '../../../src/workloads/analysis/overview.ts'
import { makePlan } from '../../rig/plan.ts'

const look = (width: number) => ({ width, palette: palette(false) })
const tasks = ['schema', 'client', 'server']

test('a title, words, a table and a list', () => {
  const section = {
    title: 'Batches',
    words: ['They can run at the same time.'],
    ...{ head: ['', 'Tasks', 'Time', 'Nothing', 'Why'], rows: [['1', { tasks }, '1m 05s', '', [{ code: 'src/**' }]]] },
    list: [['after ', { ownRow: 'docs' }, ': ', { sign: '✓', tone: 'good' as const, title: 'passed' }, ' passed']],
    leftOut: 7,
  }
  assert.deepEqual(sectionLines([section], look(80)), [
    'Batches',
    '  They can run at the same time.',
    '     Tasks                     Time  Why',
    '  1  schema, client, server  1m 05s  src/**',
    '  after docs: ✓ passed',
    '  … and 7 more; --json has all of them',
  ])
})

test('figures are never cut: where there is no room, their column and those behind it are named', () => {
  const head = ['Task', 'Time', 'Cost', 'Why']
  const rows = [['a', '1h 05m', '$10.00', 'because of all that was asked']]
  assert.deepEqual(sectionLines([{ title: 'T', head, rows }], look(22)).slice(1), [
    '  Task    Time    Cost',
    '  a     1h 05m  $10.00',
    '  … no room for: Why',
  ])
  assert.deepEqual(sectionLines([{ title: 'T', head, rows }], look(21)).slice(1), [
    '  Task    Time',
    '  a     1h 05m',
    '  … no room for: Cos…',
  ])
  assert.equal(sectionLines([{ title: 'T', head, rows }], look(34))[2], '  a     1h 05m  $10.00  because o…')
})

test('words of agents cannot paint or break a line', () => {
  const hostile = 'x\x1b[31m\ny'
  const rows = [[hostile, { code: hostile }]]
  const lines = sectionLines([{ title: 'T', words: [hostile], head: ['a', 'b'], rows, list: [hostile] }], look(80))
  assert.deepEqual(lines, ['T', '  x y', '  a    b', '  x y  x y', '  x y'])
})

test('a report of thousands of tasks stays readable, at 80 columns and at 120', () => {
  const drafts = Array.from({ length: 3_000 }, (_, n) => ({
    id: `the-task-with-number-${n}`,
    needs: n < 60 ? [] : [`the-task-with-number-${n - 60}`],
    epic: `epic-${n % 90}`,
    claims: { write: [`packages/part-${n % 55}/**`, `packages/*/shared-${n % 7}.ts`], read: [] },
  }))
  const plan = makePlan(drafts)
  const summary = planSummary(plan, planOverview(plan, 2, null), 3, 0)
  for (const width of [80, 120]) {
    const lines = reportLines('shop', summary, look(width), 'read as a plan')
    assert.deepEqual(lines.slice(0, 3), [
      'read as a plan',
      'shop  3,000 tasks of 90 epics in 50 batches',
      '3 more tasks of its file are done already.',
    ])
    assert.ok(lines.length < 320, `${lines.length}`)
    for (const line of lines) assert.ok(displayWidth(line) <= width, line)
    assert.ok(lines.includes('  … and 10 more; --json has all of them'), 'batches')
  }
})
