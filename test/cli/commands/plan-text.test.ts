import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainText, planShapeLines } from '../../../src/cli/plan/show.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { estimatedPlan } from '../../../src/engine/open/estimates.ts'
import type { Plan } from '../../../src/task.ts'
import { nameList } from '../../../src/text/name-list.ts'
import { displayWidth } from '../../../src/text/width.ts'
import { planOverview } from '../../../src/workloads/analysis/overview.ts'
import { makePlan } from '../../rig/plan.ts'

const MINUTE = 60_000

function linesOf(plan: Plan, width: number, budgetUsd: number | null = null): string[] {
  const overview = planOverview(plan, 2, budgetUsd)
  return planShapeLines({ plan, overview, times: estimatedPlan(plan).time }, { width, palette: palette(false) })
}

const write = (...paths: string[]) => ({ claims: { write: paths, read: [] } })
const shop: Plan = {
  ...makePlan(
    [
      { id: 'schema', epic: 'base', estimateMs: MINUTE, ...write('db/**') },
      { id: 'client', needs: ['schema'], epic: 'app', estimateMs: MINUTE, ...write('src/**') },
      { id: 'server', needs: ['schema'], epic: 'app', estimateMs: MINUTE, ...write('src/api.ts') },
      { id: 'docs', needs: ['server'], claims: { write: ['docs'], read: ['src/api.ts'] } },
    ],
    'true',
    'checkout',
  ),
  epics: [
    { id: 'base', title: 'Base', needs: [] },
    { id: 'app', title: 'App', needs: ['base'] },
  ],
}

test('the shape of a plan at 120 columns', () => {
  assert.deepEqual(linesOf(shop, 120), [
    'checkout  4 tasks, 3 dependencies, 3 batches, 4 waves, 2 epics',
    '',
    'Batches: tasks that can run at the same time',
    '   1  schema',
    '   2  client, server',
    '      waits for schema',
    '   3  docs',
    '      waits for server',
    '',
    'Waves: batches split so that no two tasks of a wave claim the same paths',
    '   1  schema',
    '   2  client',
    '   3  server',
    '      delayed: server by client (src/**)',
    '   4  docs',
    '',
    'Epics: those of the same stage do not wait for each other',
    '  epic  stage  tasks  at once    time',
    '  base      1      1        1  1m 00s',
    '  app       2      2        2  1m 00s  waits for base',
    '',
    'Tasks',
    '  schema  do schema',
    '  client  do client',
    '  server  do server',
    '  docs    do docs',
    '',
    'Critical path: 3m 00s, 3 tasks',
    '  schema → server → docs',
    '',
    'Never at the same time, because their claims overlap',
    '  client × server  src/** and src/api.ts',
    '  client × docs  src/** and src/api.ts',
    '',
    'Time',
    '  one after another   4m 00s',
    '  at best with -j 2   3m 00s, 1.3 × as fast',
    '  (estimates: 3 from the plan; 1m 00s assumed for the other task)',
  ])
})

test('a plan without titles, claims, epics and estimates is told in few lines', () => {
  assert.deepEqual(
    linesOf(
      makePlan([
        { id: 'a', title: 'a' },
        { id: 'b', title: 'b', needs: ['a'] },
      ]),
      80,
    ),
    [
      'plan  2 tasks, 1 dependency, 2 batches',
      '',
      'Batches: tasks that can run at the same time',
      '   1  a',
      '   2  b',
      '      waits for a',
      '',
      'Critical path: 20m 00s, 2 tasks',
      '  a → b',
      '',
      'Time',
      '  one after another   20m 00s',
      '  at best with -j 2   20m 00s',
      '  (no estimates yet: 10m 00s assumed for each task)',
    ],
  )
})

test('what takes turns because of a claim, and what will not be done, is said', () => {
  const lines = linesOf(
    makePlan([
      { id: 'a', estimateMs: 9 * MINUTE, ...write('db') },
      { id: 'b', estimateMs: 9 * MINUTE, ...write('db') },
      { id: 'c', estimateMs: MINUTE, estimateUsd: 3 },
    ]),
    80,
    2,
  )
  assert.ok(lines.includes('  2 tasks that claim db, one after the other'))
  const from = lines.indexOf('Will not run')
  assert.equal(lines[from + 1], '  c  it would cost about $3.00, and its budget is $2.00')
})

test('a row that fits is not cut because another one does not', () => {
  const epics = [
    { id: 'one', title: 'One', needs: [] },
    { id: 'two', title: 'Two', needs: ['one'] },
  ]
  const plan = makePlan(epics.map(({ id: epic }) => ({ id: `task-of-${epic}`, epic })))
  const lines = linesOf({ ...plan, epics }, 40)
  assert.ok(lines.includes('  one       1      1        1  10m 00s'), lines.join('\n'))
})

test('titles are told, and long ids leave room for what stands behind them', () => {
  const id = 'phase-2-user-story-1-how-often-is-each-word-used-in-a-text'
  const named = makePlan([
    { id: 't1', title: 'Count words', epic: id },
    { id, title: 'Print\x1b[31m them' },
  ])
  const lines = linesOf({ ...named, epics: [{ id, title: id, needs: [] }] }, 80)
  const from = lines.indexOf('Tasks')
  assert.match(lines[from + 1] ?? '', /^ {2}t1 +Count words$/)
  assert.match(lines[from + 2] ?? '', /^ {2}phase-2[a-z0-9-]+… {2}Print them$/)
  assert.ok(
    lines.some((line) => /^ {2}phase-2[a-z0-9-]+… +1 +1 +1 +10m 00s$/.test(line)),
    lines.join('\n'),
  )
})

const chain = ['alpha', 'beta', 'gamma', 'delta']
const chains: [columns: number, text: string][] = [
  [28, 'alpha → beta → gamma → delta'],
  [27, 'alpha → beta → … → delta'],
  [23, 'alpha → … → delta'],
  [9, 'alpha → …'],
]
for (const [columns, text] of chains)
  test(`a chain in ${columns} columns: ${text}`, () => assert.equal(chainText(chain, columns), text))

test('a plan of thousands stays readable, at 80 columns and at 120', () => {
  const drafts = Array.from({ length: 3_000 }, (_, n) => ({
    id: `the-task-with-number-${n}`,
    needs: n < 60 ? [] : [`the-task-with-number-${n - 60}`],
    epic: `epic-${n % 90}`,
    ...write(`packages/part-${n % 55}/**`, `packages/*/shared-${n % 7}.ts`),
  }))
  const plan = makePlan(drafts)
  for (const width of [80, 120]) {
    const lines = linesOf(plan, width)
    assert.ok(lines.length < 320, `${lines.length}`)
    for (const line of lines) assert.ok(displayWidth(line) <= width, line)
    assert.ok(lines.includes('      … and 10 more'), 'batches')
    assert.ok(lines.some((line) => / and \d+ more$/.test(line)))
  }
})

const lists: [names: string[], columns: number, text: string][] = [
  [[], 10, ''],
  [['a', 'b', 'c'], 7, 'a, b, c'],
  [['alpha', 'beta', 'gamma'], 17, 'alpha and 2 more'],
  [['alpha', 'beta', 'gamma'], 18, 'alpha, beta, gamma'],
  [['alpha', 'beta'], 8, 'alpha a…'],
  [['a-very-long-name'], 8, 'a-very-…'],
]
for (const [names, columns, text] of lists) {
  test(`${names.length} names in ${columns} columns: ${text}`, () => {
    assert.equal(nameList(names, columns), text)
    assert.ok(displayWidth(nameList(names, columns)) <= columns)
  })
}
