import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignWaves } from '../../../../src/scheduler/dispatch/waves.ts'
import { graphOf, promptOf, readSample, readText, refusal, remarksOf, statesOf, taskOf } from '../json-read.ts'

const FILE = 'work_queue.json'

test('a realistic queue: waves come from needs and from files', () => {
  const read = readSample(FILE)
  assert.equal(read.source.format, 'work-queue')
  assert.equal(read.plan.name, 'tea-shop')
  assert.equal(read.settings.schedule, 'waves')
  assert.deepEqual(graphOf(read), { 'auth-1': [], 'auth-2': [], 'cart-1': ['auth-1'], 'cart-2': [] })
  // AUTH-1 and AUTH-2 write the same file, CART-1 needs AUTH-1.
  assert.deepEqual(assignWaves(read.plan), [0, 1, 1, 0])
})

test('of features that touch the same file, the one of the higher priority is in the earlier wave', () => {
  const priorities = ['P3', 'P0', 'low', 'P1', undefined]
  const features = priorities.map((priority, i) => ({ id: `F-${i}`, description: 'x', file: 'a.ts', priority }))
  // It waits for what it needs, whatever its own priority; and is then before those of a lower one.
  const behind = { id: 'F-5', description: 'x', file: 'a.ts', priority: 'P0', dependencies: ['F-0'] }
  const read = readText({ features: [...features, behind] }, FILE)
  assert.deepEqual(assignWaves(read.plan), [3, 0, 5, 1, 2, 4])
})

test('numbers may be written as texts, but nonsense is refused', () => {
  const feature = { id: 'a', description: 'x', max_iterations: '5', priority: '2' }
  const [task] = readText({ features: [feature] }, FILE).plan.tasks
  assert.deepEqual([task?.iterations, task?.priority], [5, 0])
  assert.deepEqual(refusal({ features: [{ ...feature, max_iterations: 'five' }] }, FILE), [
    `${FILE}:6:25: \`max_iterations\` must be a whole number from 1 on, not the string \`five\``,
  ])
})

test('the promise, the iterations, the priority and the claims of a feature', () => {
  const read = readSample(FILE)
  const task = taskOf(read, 'auth-1')
  assert.equal(task.completion, 'AUTH-1 COMPLETE')
  assert.equal(task.iterations, 15)
  assert.deepEqual(task.claims.write, ['src/auth/login.ts', 'tests/auth/login.test.ts'])
  assert.deepEqual(task.tags, ['feature'])
  assert.ok(task.priority > taskOf(read, 'auth-2').priority)
  assert.match(promptOf(read, 'auth-1'), /^Lock an account[\s\S]*## File\n\nsrc\/auth\/login.ts[\s\S]*## Tests/)
})

test('features that no wave can hold are named and left out, the others go on', () => {
  const read = readSample(FILE)
  assert.deepEqual(statesOf(read), {
    'AUTH-1': 'open',
    'AUTH-2': 'open',
    'UTIL-1': 'done',
    'CART-1': 'open',
    'CART-2': 'open',
    'LOOP-1': 'skipped',
    'LOOP-2': 'skipped',
    'LOST-1': 'skipped',
    'LOST-2': 'skipped',
  })
  const said = 'is left out:'
  assert.deepEqual(remarksOf(read, 'warnings'), [
    `36:91 feature \`LOST-1\` ${said} it depends on \`GONE-9\`, which is not in the file`,
    `37:75 feature \`LOST-2\` ${said} it depends on \`LOST-1\`, which is left out`,
    `34:75 feature \`LOOP-1\` ${said} it depends on \`LOOP-2\`, which is in a circle of dependencies, or behind one`,
    `35:75 feature \`LOOP-2\` ${said} it depends on \`LOOP-1\`, which is in a circle of dependencies, or behind one`,
  ])
  // Whoever runs it is told, too.
  assert.equal(read.warnings.length, 4)
})

test('what is not to be done is left out, with what depends on it', () => {
  const features = [
    { id: 'a', description: 'x', status: 'cancelled' },
    { id: 'b', description: 'x', dependencies: ['a'] },
    { id: 'c', description: 'x', blocked_by: ['b'] },
    { id: 'd', description: 'x', status: 'complete', dependencies: ['a'] },
    { id: 'e', description: 'x', dependencies: ['d'] },
  ]
  const read = readText({ features }, FILE)
  assert.deepEqual(graphOf(read), { e: [] })
  assert.match(remarksOf(read, 'assumed').join('\n'), / features that are `cancelled` are left out: `a`$/)
  assert.deepEqual(
    remarksOf(read, 'warnings').map((remark) => remark.replace(/^\d+:\d+ feature /, '')),
    [
      '`b` is left out: it depends on `a`, which is `cancelled`',
      '`c` is left out: it depends on `b`, which is left out',
    ],
  )
})

test('a circle of thousands is told soon, and not in full', () => {
  const size = 10_000
  const features = Array.from({ length: size }, (_, i) => ({ id: i, description: 'x', dependencies: [(i + 1) % size] }))
  const read = readText(JSON.stringify({ features: [...features, { id: 'free', description: 'y' }] }), FILE)
  assert.deepEqual(graphOf(read), { free: [] })
  assert.equal(read.warnings.length, 101)
  assert.equal(read.warnings.at(-1)?.message, '… and 9900 more of them')
  assert.match(
    read.warnings[0]?.message ?? '',
    /it depends on `1`, which is in a circle of dependencies, or behind one$/,
  )
})

test('what was blocked or begun is open, and that is said once a status', () => {
  const read = readSample(FILE)
  assert.deepEqual(remarksOf(read, 'assumed'), [
    '3:15 in waves, as this format has it; `--schedule eager` starts each when it can',
    '20:17 features that are `in_progress` are run from the start: `AUTH-2`',
    '33:108 features that are `blocked` are run from the start: `CART-2`',
  ])
  assert.deepEqual(remarksOf(read, 'ignored'), ['31:7 fields of a feature: `estimated_effort`'])
})

test('more iterations than there are are cut, others refused', () => {
  const feature = { id: 'a', description: 'Do a' }
  const read = readText({ features: [{ ...feature, max_iterations: 900 }] }, FILE)
  assert.equal(read.plan.tasks[0]?.iterations, 50)
  assert.match(remarksOf(read, 'assumed')[1] ?? '', /`max_iterations` is 900: the most there is here is 50/)
  assert.deepEqual(refusal({ features: [{ ...feature, max_iterations: 0 }] }, FILE), [
    `${FILE}:6:25: \`max_iterations\` must be a whole number from 1 on, not the number 0`,
  ])
})

test('words, levels and numbers are one scale, and none is in the middle of it', () => {
  const priorities: unknown[] = ['critical', 'high', 'medium', 'low', 'P0', 'p4', 'P5', 0, 1, '3', 7, undefined]
  const features = priorities.map((priority, i) => ({ id: `f${i}`, description: 'x', priority }))
  const read = readText({ features }, FILE)
  assert.deepEqual(
    read.plan.tasks.map(({ priority }) => priority),
    [20, 10, 0, -10, 20, -20, -30, 20, 10, -10, -50, 0],
  )
  const odd = readText({ features: [{ id: 'a', description: 'x', priority: 'soon' }] }, FILE)
  assert.match(remarksOf(odd, 'ignored').join(), /the priority is the string `soon`, which is not known here/)
})

test('two features of one id, one without any, one with nothing to do', () => {
  const features = [{ id: 'a', description: 'x' }, { id: 'a', description: 'y' }, { description: 'z' }, { id: 'b' }]
  assert.deepEqual(refusal({ features }, FILE), [
    `${FILE}:8:13: there are two features \`a\`; the first is in line 4`,
    `${FILE}:11:5: this feature has no \`id\``,
    `${FILE}:14:5: this feature has no \`title\` or \`name\` or \`description\`: what is to be done?`,
  ])
})

test('several files in one text are several claims', () => {
  const feature = { id: 'a', description: 'Do a', file: 'src/l.ts, src/m.ts', files: ['src/n.ts'] }
  const read = readText({ features: [feature] }, FILE)
  assert.deepEqual(taskOf(read, 'a').claims.write, ['src/l.ts', 'src/m.ts', 'src/n.ts'])
  assert.match(promptOf(read, 'a'), /## File\n\nsrc\/l\.ts, src\/m\.ts\n\n## Files\n\n- src\/n\.ts$/)
})

test('a feature without a status that passes is done', () => {
  const feature = (id: string, fields: object) => ({ id, description: 'x', ...fields })
  const features = [
    feature('a', { passes: true }),
    feature('b', { passes: false }),
    feature('c', { passes: true, status: 'pending' }),
    feature('d', { passes: 'true', status: '' }),
  ]
  const read = readText({ features }, FILE)
  assert.deepEqual(statesOf(read), { a: 'done', b: 'open', c: 'open', d: 'done' })
  assert.deepEqual(remarksOf(read, 'ignored'), [])
})

test('what is passing is done, in `state` as in `status`', () => {
  const features = [
    { id: 'a', description: 'x', state: 'passing' },
    { id: 'b', description: 'x', state: 'not_started' },
    { id: 'c', description: 'x', state: 'active' },
    { id: 'd', description: 'x', status: 'passing' },
    { id: 'e', description: 'x', state: 'cancelled' },
  ]
  const read = readText({ rules: { valid_status: ['not_started', 'active', 'passing'] }, features }, FILE)
  assert.deepEqual(statesOf(read), { a: 'done', b: 'open', c: 'open', d: 'done', e: 'skipped' })
  assert.deepEqual(remarksOf(read, 'ignored'), [])
  assert.deepEqual(
    remarksOf(read, 'assumed')
      .slice(1)
      .map((one) => one.replace(/^\S+ /, '')),
    ['features that are `active` are run from the start: `c`', 'features that are `cancelled` are left out: `e`'],
  )
})
