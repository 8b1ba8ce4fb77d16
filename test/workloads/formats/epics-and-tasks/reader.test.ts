import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignWaves } from '../../../../src/scheduler/dispatch/waves.ts'
import { processorMs } from '../../../rig/processor-time.ts'
import { graphOf, promptOf, readSample, readText, refusal, remarksOf, statesOf } from '../json-read.ts'

const FILE = 'epics-and-tasks.json'

test('epics wait for epics, hard dependencies gate, soft ones only order', () => {
  const read = readSample(FILE)
  assert.equal(read.source.format, 'epics-and-tasks')
  assert.equal(read.plan.name, 'bookings')
  assert.deepEqual(graphOf(read), {
    'task-11': [],
    'task-20': ['task-11'],
    'task-21': ['after task-20', 'task-11'],
    'task-30': ['task-11'],
    'task-31': [],
  })
  assert.deepEqual(
    read.plan.epics.map(({ id, title, needs }) => [id, title, needs]),
    [
      ['epic-1', 'Foundation', []],
      ['epic-2', 'Booking API', ['epic-1']],
      ['epic-3', 'Reports', ['epic-1']],
    ],
  )
})

test('batch by batch, and what is done is not run again', () => {
  const read = readSample(FILE)
  assert.equal(read.settings.schedule, 'waves')
  assert.deepEqual(assignWaves(read.plan), [0, 1, 2, 1, 0])
  assert.deepEqual(statesOf(read), { 10: 'done', 11: 'open', 20: 'open', 21: 'open', 30: 'open', 31: 'open' })
})

test('an epic that is done holds nothing up', () => {
  const epics = [{ id: 1 }, { id: 2, depends_on: [1] }]
  const tasks = [
    { id: 1, epic_id: 1, description: 'a', done: true },
    { id: 2, epic_id: 2, description: 'b', done: false, depends_on: [1] },
  ]
  const read = readText({ epics, tasks }, FILE)
  assert.deepEqual(graphOf(read), { 'task-2': [] })
  assert.deepEqual(
    read.plan.epics.map(({ id }) => id),
    ['epic-2'],
  )
  assert.deepEqual(read.warnings, [])
})

test('order goes through an epic without tasks', () => {
  const epics = [{ id: 1 }, { id: 2, depends_on: [1] }, { id: 3, depends_on: [2] }, { id: 4, depends_on: [3] }]
  const task = (id: number) => ({ id, epic_id: id, description: 'x', done: false })
  const graph = (...ids: number[]) => graphOf(readText({ epics, tasks: ids.map(task) }, FILE))
  assert.deepEqual(graph(2, 4), { 'task-2': [], 'task-4': ['task-2'] })
  assert.deepEqual(graph(1, 4), { 'task-1': [], 'task-4': ['task-1'] })
})

test('an epic without tasks may be in a circle, or name one that is not there', () => {
  const tasks = [{ id: 1, epic_id: 1, description: 'x', done: false }]
  const refused = (...epics: object[]) => refusal({ epics, tasks }, FILE).join()
  const [first, second] = [
    { id: 1, depends_on: [2] },
    { id: 2, depends_on: [1] },
  ]
  assert.match(refused(first, second), /epic `1` needs itself$/)
  assert.match(refused(first, { id: 2, depends_on: [7] }), /there is no epic `7` to depend on$/)
})

test('to go through thousands of epics without tasks thousands of times has a limit', () => {
  const count = 1_500
  const empty = Array.from({ length: count }, (_, i) => ({ id: i + 1, depends_on: i === 0 ? [] : [i] }))
  const open = Array.from({ length: count }, (_, i) => ({ id: count + i + 1, depends_on: [count] }))
  const tasks = open.map(({ id }) => ({ id, epic_id: id, description: 'x' }))
  assert.match(refusal({ epics: [...empty, ...open], tasks }, FILE).join(), /more than 2000000 needs and claims/)
})

test('the prompt says what to do and what it is part of', () => {
  assert.equal(
    promptOf(readSample(FILE), 'task-20'),
    'POST /bookings\n\n## Action\n\nValidate, store, answer 201.\n\n## What this is part of\n\nBooking API',
  )
})

test('an action alone is what is to be done', () => {
  assert.equal(promptOf(readText({ tasks: [{ id: 1, action: 'Do it' }] }, FILE), 'task-1'), 'Do it')
})

test('the smaller number goes first; a task without one has that of its epic', () => {
  const epics = [{ id: 1, priority: 5 }]
  const tasks = [
    { id: 1, epic_id: 1, description: 'a' },
    { id: 2, epic_id: 1, description: 'b', priority: 1 },
  ]
  const read = readText({ epics, tasks }, FILE)
  assert.deepEqual(
    read.plan.tasks.map(({ priority }) => priority),
    [-30, 10],
  )
})

test('tasks in a circle, and epics and tasks that do not exist', () => {
  const text = `{"epics": [{"id": 1, "depends_on": [8]}],
"tasks": [
  {"id": 1, "epic_id": 1, "description": "a", "depends_on": [2]},
  {"id": 2, "epic_id": 7, "description": "b", "depends_on": [1, 9], "dependency_type": "medium"},
  {"id": 3, "epic_id": 1, "done": "no"}
]}`
  assert.deepEqual(refusal(text, FILE), [
    `${FILE}:1:37: there is no epic \`8\` to depend on`,
    `${FILE}:4:24: there is no epic \`7\``,
    `${FILE}:4:65: there is no task \`9\` to depend on`,
    `${FILE}:4:88: \`dependency_type\` must be hard or soft, not \`medium\``,
    `${FILE}:5:3: this task has no \`description\` or \`action\`: what is to be done?`,
    `${FILE}:5:35: \`done\` must be true or false, not the string \`no\``,
  ])
  const circle = `{"tasks": [
  {"id": 1, "done": false, "description": "a", "depends_on": [2]},
  {"id": 2, "done": false, "description": "b", "depends_on": [1]}
]}`
  assert.deepEqual(refusal(circle, FILE), [`${FILE}:2:63: tasks wait for each other: 1 → 2 → 1`])
})

test('a soft dependency that would close a circle is left out, and named as the file names it', () => {
  const text = `{"epics": [{"id": 1}, {"id": 2, "depends_on": [1]}], "tasks": [
  {"id": 1, "epic_id": 1, "description": "a", "depends_on": [2], "dependency_type": "soft"},
  {"id": 2, "epic_id": 1, "description": "b", "depends_on": [1]},
  {"id": 3, "epic_id": 1, "description": "c", "depends_on": [4, 3], "dependency_type": "soft"},
  {"id": 4, "epic_id": 2, "description": "d"},
  {"id": 5, "description": "e", "depends_on": [6], "dependency_type": "soft"},
  {"id": 6, "description": "f", "depends_on": [5], "dependency_type": "soft"}
]}`
  const read = readText(text, FILE)
  assert.deepEqual(graphOf(read), {
    'task-1': [],
    'task-2': ['task-1'],
    'task-3': [],
    'task-4': ['task-2', 'task-3'],
    'task-5': [],
    'task-6': [],
  })
  assert.deepEqual(
    read.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`),
    [
      '2:62 task `1` does not come after `2`, because they wait for each other in a circle',
      '4:62 task `3` does not come after `4`, because they wait for each other in a circle',
      '6:48 task `5` does not come after `6`, because they wait for each other in a circle',
      '7:48 task `6` does not come after `5`, because they wait for each other in a circle',
    ],
  )
})

test('soft circles of thousands are answered soon', () => {
  const size = 20_000
  const task = (id: number, other: number) => ({ id, description: 'x', depends_on: [other], dependency_type: 'soft' })
  for (const step of [1, size - 1]) {
    const tasks = Array.from({ length: size }, (_, i) => task(i, (i + step) % size))
    const before = processorMs()
    const read = readText(JSON.stringify({ tasks }), FILE)
    assert.ok(processorMs() - before < 5_000)
    assert.ok(read.warnings.length > 0)
  }
})

test('a truth and a number may be written as texts', () => {
  const tasks = [
    { id: 1, description: 'a', done: 'true' },
    { id: 2, description: 'b', done: 'False', priority: '0' },
    { id: 3, description: 'c', done: '1' },
  ]
  assert.deepEqual(statesOf(readText({ tasks }, FILE)), { 1: 'done', 2: 'open', 3: 'done' })
  assert.deepEqual(remarksOf(readText({ tasks }, FILE), 'ignored'), [])
})

test('a task may say with `completed` or `status` that it is done, or that it is not to be done', () => {
  const tasks = [
    { id: 1, description: 'x', action: 'y', status: 'done' },
    { id: 2, description: 'x', completed: true },
    { id: 3, description: 'x', status: 'cancelled' },
    { id: 4, description: 'x', done: false, status: 'completed', depends_on: [1, 2, 3] },
    { id: 5, description: 'x', status: 'in_progress' },
    { id: 6, description: 'x', status: 'todo', completed: '2026-01-02' },
  ]
  const read = readText({ tasks }, FILE)
  assert.deepEqual(statesOf(read), { 1: 'done', 2: 'done', 3: 'skipped', 4: 'open', 5: 'open', 6: 'open' })
  assert.deepEqual(graphOf(read), { 'task-4': [], 'task-5': [], 'task-6': [] })
  const unplaced = (remark: string): string => remark.replace(/^\d+:\d+ /, '')
  assert.deepEqual(remarksOf(read, 'assumed').slice(1).map(unplaced), [
    'tasks that are `cancelled` are left out: `3`',
    'nothing waits for tasks that are left out: `3`',
    'tasks that are `in_progress` are run from the start: `5`',
  ])
  assert.deepEqual(remarksOf(read, 'ignored'), [])
})

test('epics in a circle, and a task that waits for an epic that waits for it', () => {
  const task = (id: number, epic_id: number, ...depends_on: number[]) => ({ id, epic_id, description: 'x', depends_on })
  const circle = {
    epics: [
      { id: 1, depends_on: [2] },
      { id: 2, depends_on: [1] },
    ],
    tasks: [task(1, 1), task(2, 2)],
  }
  assert.match(refusal(circle, FILE).join(), /: epics wait for each other: 1 → 2 → 1$/)
  const mixed = { epics: [{ id: 1 }, { id: 2, depends_on: [1] }], tasks: [task(1, 1, 2), task(2, 2)] }
  assert.match(refusal(mixed, FILE).join(), /: tasks and epics wait for each other: 1 → 2 → epic 1 → 1$/)
})

test('files are claimed, steps and tests are told', () => {
  const task = { id: 1, description: 'Do it', done: false, files: ['src/a.ts (new), src/b.ts'], steps: ['One', 'Two'] }
  const read = readText({ tasks: [task] }, FILE)
  assert.deepEqual(read.plan.tasks[0]?.claims.write, ['src/a.ts', 'src/b.ts'])
  assert.equal(promptOf(read, 'task-1'), 'Do it\n\n## Files\n\n- src/a.ts (new), src/b.ts\n\n## Steps\n\n- One\n- Two')
})

test('of an epic that is not to be done no task is; one that is done says nothing of its tasks', () => {
  const epics = [
    { id: 1, name: 'a', status: 'active' },
    { id: 2, name: 'b', status: 'cancelled' },
    { id: 3, name: 'c', status: 'done' },
  ]
  const tasks = [1, 2, 3].map((id) => ({ id, epic_id: id, description: 'x', done: false }))
  const read = readText({ epics, tasks: [...tasks, { id: 4, epic_id: 2, description: 'x', done: true }] }, FILE)
  assert.deepEqual(statesOf(read), { 1: 'open', 2: 'skipped', 3: 'open', 4: 'done' })
  assert.match(remarksOf(read, 'assumed').join('\n'), / epics that are `cancelled` are left out: `2`$/m)
})

test('a task never waits for an epic whose number is that of a missing task', () => {
  const waiting = (id: number) => ({
    epics: [{ id: 1 }, { id: 2 }],
    tasks: [{ id: 11, epic_id: 2, description: 'a', depends_on: [id] }],
  })
  for (const id of [1, 2])
    assert.match(refusal(waiting(id), FILE).join(), new RegExp(`there is no task \`${id}\` to depend on`))
})
