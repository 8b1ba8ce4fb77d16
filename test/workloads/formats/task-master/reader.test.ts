import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../../src/config.ts'
import { planFileTasks } from '../../../../src/workloads/formats/status/plan-file-tasks.ts'
import { readPlanFiles } from '../../../../src/workloads/plan/read.ts'
import { planText } from '../../../../src/workloads/plan/text.ts'
import { graphOf, promptOf, readSample, readText, refusal, remarksOf, statesOf, taskOf } from '../json-read.ts'

const FILE = 'task-master.json'

type Written = { id: number | string; title?: string; status?: string; dependencies?: unknown[]; subtasks?: Written[] }

function tasks(...list: Written[]): { tasks: Written[] } {
  const filled = (task: Written): Written => ({
    title: `Do ${task.id}`,
    status: 'pending',
    ...task,
    ...(task.subtasks ? { subtasks: task.subtasks.map(filled) } : {}),
  })
  return { tasks: list.map(filled) }
}

test('a realistic file: subtasks stand for their task', () => {
  const read = readSample(FILE)
  assert.equal(read.source.format, 'task-master')
  assert.equal(read.plan.name, 'club')
  assert.deepEqual(graphOf(read), {
    'task-2-2': [],
    'task-2-3': ['task-2-2'],
    'task-3': ['task-2-3'],
    'task-6': ['task-2-2'],
  })
  assert.deepEqual(
    read.plan.epics.map(({ id, title }) => [id, title]),
    [['task-2', 'Accounts']],
  )
})

test('what is deferred is left out, and so is what depends on it, by name', () => {
  const read = readSample(FILE)
  assert.deepEqual(statesOf(read), {
    1: 'done',
    2: 'open',
    '2.1': 'done',
    '2.2': 'open',
    '2.3': 'open',
    3: 'open',
    4: 'skipped',
    5: 'skipped',
    6: 'open',
  })
  assert.deepEqual(remarksOf(read, 'warnings'), ['34:120 task `5` is left out: it depends on `4`, which is `deferred`'])
})

test('claims and words of a subtask', () => {
  const read = readSample(FILE)
  assert.deepEqual(taskOf(read, 'task-2-2').claims, { write: ['src/login.ts', 'src/app.ts'], read: ['docs/api.md'] })
  assert.equal(taskOf(read, 'task-2-2').title, 'Log in')
  assert.equal(
    promptOf(read, 'task-2-2'),
    [
      'Log in\n\nPOST /login',
      '## Acceptance criteria\n\n- A wrong password answers 401\n- A right one sets a cookie',
      '## Relevant files\n\n- src/login.ts (create; The handler)\n- src/app.ts (modify)\n- docs/api.md (reference)',
      '## What this is part of\n\nAccounts\n\nPeople can have an account\n\n' +
        'Details:\nNo third party.\n\nTest strategy:\nLog in and out by hand.',
    ].join('\n\n'),
  )
  assert.equal(taskOf(read, 'task-2-2').priority, 10)
  assert.deepEqual(taskOf(read, 'task-3').tags, ['web'])
})

test('what was assumed and ignored has a place', () => {
  const read = readSample(FILE)
  assert.deepEqual(remarksOf(read, 'assumed'), [
    '2:13 the tag `master` is meant; `--part TAG` takes one of the others: `experiments`',
    '33:79 tasks that are `deferred` are left out: `4`',
    '35:97 tasks that are `review` are run from the start: `6`',
    '35:142 told to the agent, and otherwise without a meaning here: `colour`',
  ])
  assert.deepEqual(remarksOf(read, 'ignored'), [])
})

test('a tag is chosen with `part`; without master it has to be', () => {
  assert.deepEqual(graphOf(readSample(FILE, { part: 'experiments' })), { 'task-1': [] })
  assert.equal(readSample(FILE, { part: 'experiments' }).plan.name, 'experiments')
  assert.deepEqual(refusal({ a: tasks({ id: 1 }), b: tasks({ id: 1 }) }, FILE), [
    `${FILE}:1:1: it has the tags a, b: name one with \`--part\``,
  ])
  assert.deepEqual(refusal({ a: tasks({ id: 1 }) }, FILE, { part: 'c' }), [
    `${FILE}:1:1: there is no tag \`c\` in it; the tags are: a`,
  ])
  assert.deepEqual(graphOf(readText({ only: tasks({ id: 1 }) }, FILE)), { 'task-1': [] })
})

test('the tags beside `master` are named, but not where one was chosen, and not all of very many', () => {
  const tagged = (...names: string[]) => Object.fromEntries(names.map((name) => [name, tasks({ id: 1 })]))
  const assumed = (file: object, part?: string) =>
    remarksOf(readText(file, FILE, part === undefined ? {} : { part }), 'assumed').map((remark) =>
      remark.replace(/^\S+ /, ''),
    )
  const takes = '`--part TAG` takes one of the others'
  assert.deepEqual(assumed(tagged('master')), [])
  assert.deepEqual(assumed(tagged('only')), [])
  assert.deepEqual(assumed(tagged('master', 'b'), 'b'), [])
  assert.deepEqual(assumed(tagged('a', 'master', 'b')), [`the tag \`master\` is meant; ${takes}: \`a\`, \`b\``])
  assert.deepEqual(assumed(tagged('master', ...'abcdefghijkl')), [
    `the tag \`master\` is meant; ${takes}: ${[...'abcdefghij'].map((name) => `\`${name}\``).join(', ')} and 2 more`,
  ])
})

test('the current tag is the one that its own program notes, until another is named', () => {
  const text = JSON.stringify({
    master: tasks({ id: 1 }),
    login: tasks({ id: 7 }),
    old: tasks({ id: 9, status: 'done' }),
  })
  const read = (state: string, part?: string) => {
    const plan = readPlanFiles([{ file: FILE, text, state }], FILE, DEFAULT_SETTINGS, { part })
    assert.ok(plan.ok)
    return plan.value
  }
  const current = read('{"currentTag": "login", "branchTagMapping": {}}')
  assert.deepEqual(graphOf(current), { 'task-7': [] })
  assert.deepEqual(
    current.source.assumed.map(({ message }) => message),
    ['the tag `login` is meant, which is the current one; `--part TAG` takes one of the others: `master`, `old`'],
  )
  // What is written back goes there as well, whatever tag is current by then.
  assert.deepEqual(planFileTasks(current.source, [{ file: FILE, text }], null)?.part, 'login')
  assert.deepEqual(graphOf(read('{"currentTag": "login"}', 'master')), { 'task-1': [] })
  for (const state of ['{"currentTag": "gone"}', '{"currentTag": 1}', 'no JSON', '[]', ''])
    assert.deepEqual(graphOf(read(state)), { 'task-1': [] }, state)
  assert.deepEqual(read('{"currentTag": "old"}').plan.tasks, [])
})

test('what depends on a task waits for the last of its subtasks; the first of them wait for what it depends on', () => {
  const subtasks = [{ id: 1 }, { id: 2, dependencies: [1] }, { id: 3, dependencies: [1] }]
  const file = tasks(
    { id: 1 },
    { id: 2, dependencies: [1], subtasks },
    { id: 3, dependencies: ['2'], subtasks: [{ id: 1 }, { id: 2, dependencies: ['2.2'] }] },
  )
  assert.deepEqual(graphOf(readText(file, FILE)), {
    'task-1': [],
    'task-2-1': ['task-1'],
    'task-2-2': ['task-2-1'],
    'task-2-3': ['task-2-1'],
    'task-3-1': ['task-2-2', 'task-2-3'],
    'task-3-2': ['task-2-2', 'task-2-3'],
  })
})

test('in a subtask a number is its sibling, else a task', () => {
  const file = tasks({ id: 1 }, { id: 4 }, { id: 2, subtasks: [{ id: 1 }, { id: 2, dependencies: [1, 4] }] })
  assert.deepEqual(graphOf(readText(file, FILE))['task-2-2'], ['task-2-1', 'task-4'])
})

test('a number is the task it is written as, with the zero at its end', () => {
  const subtasks = Array.from({ length: 10 }, (_, i) => `{"id": ${i + 1}, "title": "s"}`).join()
  const file = (more: string) =>
    `{"tasks": [{"id": 2, "title": "a", "status": "pending", "subtasks": [${subtasks}]}, ${more}]}`
  const needs = (dependency: string) =>
    graphOf(readText(file(`{"id": 3, "title": "b", "dependencies": [/* one */ ${dependency}]}`), FILE))['task-3']
  assert.deepEqual(needs('2.10'), ['task-2-10'])
  assert.deepEqual(needs('2.1'), ['task-2-1'])
  assert.deepEqual(needs('"2.10"'), ['task-2-10'])
  const large = '{"id": 90071992547409931, "title": "b"}, {"id": 90071992547409932, "title": "c"}'
  assert.deepEqual(Object.keys(statesOf(readText(file(large), FILE))).slice(-2), [
    '90071992547409931',
    '90071992547409932',
  ])
})

test('a task that is done or cancelled takes its subtasks with it', () => {
  const file = tasks(
    { id: 1, status: 'done', subtasks: [{ id: 1 }] },
    { id: 2, status: 'cancelled', subtasks: [{ id: 1 }] },
    { id: 3, dependencies: [1] },
  )
  const read = readText(file, FILE)
  assert.deepEqual(graphOf(read), { 'task-3': [] })
  assert.deepEqual(statesOf(read), { 1: 'done', '1.1': 'done', 2: 'skipped', '2.1': 'skipped', 3: 'open' })
})

test('a task whose subtasks are all done is run itself', () => {
  const read = readText(tasks({ id: 1, subtasks: [{ id: 1, status: 'done' }] }), FILE)
  assert.deepEqual(graphOf(read), { 'task-1': [] })
})

test('a task and its subtask do not wait for each other', () => {
  const read = readText(
    tasks({ id: 1, dependencies: ['1.1'], subtasks: [{ id: 1, dependencies: ['1'] }, { id: 2 }] }),
    FILE,
  )
  assert.deepEqual(graphOf(read), { 'task-1-1': [], 'task-1-2': [] })
})

test('groups that wait for groups have a limit, and titles are one line', () => {
  const subtasks = Array.from({ length: 1_500 }, (_, i) => ({ id: i + 1 }))
  const file = tasks({ id: 1, subtasks }, { id: 2, dependencies: [1], subtasks })
  assert.match(refusal(file, FILE).join(), /more than 2000000 needs and claims/)
  assert.equal(readText(tasks({ id: 1, title: ' a\n b ' }), FILE).plan.tasks[0]?.title, 'a b')
})

test('unknown and circular dependencies have a place', () => {
  const lost = tasks({ id: 1, dependencies: [7] }, { id: 2, subtasks: [{ id: 1, dependencies: ['2.9'] }] })
  assert.deepEqual(refusal(lost, FILE), [
    `${FILE}:8:9: there is no task \`7\` to depend on`,
    `${FILE}:21:13: there is no task \`2.9\` to depend on`,
  ])
  const circle = tasks({ id: 1, dependencies: [2] }, { id: 2, dependencies: [1] })
  assert.deepEqual(refusal(circle, FILE), [`${FILE}:8:9: tasks wait for each other: 1 → 2 → 1`])
})

test('a task whose last subtasks are put off is left out with them; one whose are cancelled is run itself', () => {
  const file = tasks(
    {
      id: 1,
      subtasks: [
        { id: 1, status: 'done' },
        { id: 2, dependencies: [3] },
        { id: 3, status: 'deferred' },
      ],
    },
    { id: 2, dependencies: [1] },
    {
      id: 3,
      subtasks: [
        { id: 1, status: 'done' },
        { id: 2, status: 'cancelled' },
      ],
    },
  )
  const read = readText(file, FILE)
  assert.deepEqual(graphOf(read), { 'task-3': [] })
  assert.deepEqual(
    [...remarksOf(read, 'warnings'), ...remarksOf(read, 'assumed')].map((remark) => remark.replace(/^\S+ /, '')),
    [
      'subtask `1.2` is left out: it depends on `1.3`, which is `deferred`',
      'task `1` is left out: what is left of it is subtask `1.2`, which is left out',
      'task `2` is left out: it depends on `1`, which is left out',
      'tasks that are `deferred` are left out: `1.3`',
      'tasks that are `cancelled` are left out: `3.2`',
    ],
  )
})

test('a circle is shown with the ids of the file, subtasks too', () => {
  const file = tasks(
    { id: 1, subtasks: [{ id: 1, dependencies: ['2.1'] }] },
    { id: 2, subtasks: [{ id: 1, dependencies: ['1.1'] }] },
  )
  assert.match(refusal(file, FILE).join(), /: tasks wait for each other: 1\.1 → 2\.1 → 1\.1$/)
})

test('without a name of its own it is called as the project it lies in', () => {
  const text = JSON.stringify(tasks({ id: 1 }))
  const named = (file: string, folder?: string): string => readText(text, file, { folder }).plan.name
  assert.equal(named('.taskmaster/tasks/tasks.json', '/home/me/tea-shop'), 'tea-shop')
  assert.equal(named('tea-shop/.taskmaster/tasks/tasks.json'), 'tea-shop')
  assert.equal(named('tasks.json'), 'tasks')
})

test('converted, it keeps the name it has as a run', () => {
  const { source } = readText(tasks({ id: 1 }), '.taskmaster/tasks/tasks.json', { folder: '/home/me/tea-shop' })
  for (const [as, line] of [['yaml', '\nname: tea-shop\n'] as const, ['json', '\n  "name": "tea-shop",\n'] as const]) {
    const text = planText(source, as)
    assert.ok(text.ok && text.value.includes(line), as)
  }
})

test('a status that is no word counts as not done, whatever it holds', () => {
  const odd: unknown[] = [{ toString: 1 }, ['done'], 7, { __proto__: null, done: true }]
  const list = odd.map((status, i) => ({ id: i, title: 'x', status }))
  const read = readText({ tasks: list }, FILE)
  assert.deepEqual(Object.values(statesOf(read)), ['open', 'open', 'open', 'open'])
  assert.equal(remarksOf(read, 'assumed').length, 4)
})

test('subtasks of a subtask are told to its agent', () => {
  const inner = [
    { id: 1, title: 'The form', description: 'Two fields' },
    { id: 2, title: 'The cookie', status: 'done' },
  ]
  const file = tasks({ id: 2, subtasks: [{ id: 1 }, { id: 2, dependencies: [1] }] })
  Object.assign(file.tasks[0]?.subtasks?.[1] ?? {}, { subtasks: inner })
  const read = readText(file, FILE)
  assert.deepEqual(graphOf(read), { 'task-2-1': [], 'task-2-2': ['task-2-1'] })
  assert.match(
    promptOf(read, 'task-2-2'),
    /## Subtasks\n\n- id: 1\n {2}title: The form\n {2}description: Two fields\n- id: 2\n {2}title: The cookie\n {2}status: done/,
  )
})

test('what is done or cancelled may depend on something that is gone', () => {
  const file = tasks(
    { id: 1, status: 'done', dependencies: [98], subtasks: [{ id: 1, dependencies: ['97.1'] }] },
    { id: 2, status: 'cancelled', dependencies: [99] },
    { id: 3, dependencies: [1] },
  )
  const read = readText(file, FILE)
  assert.deepEqual(graphOf(read), { 'task-3': [] })
})

test('an action is the same in capitals', () => {
  const relevantFiles = [
    { path: 'a.ts', action: 'CREATE' },
    { path: 'b.ts', action: ' Modify' },
    { path: 'c.ts', action: 'Reference' },
  ]
  const read = readText({ tasks: [{ id: 1, title: 'x', status: 'pending', relevantFiles }] }, FILE)
  assert.deepEqual(taskOf(read, 'task-1').claims, { write: ['a.ts', 'b.ts'], read: ['c.ts'] })
})

test('a name twice in one mapping: the last one holds, and a warning names the place', () => {
  const text = '{"tasks":[\n{"id":1,"title":"x","status":"done",\n "status":"pending","details":"a {\\"id\\": 1}"}\n]}'
  for (const written of [text, `// mine\n${text}`]) {
    const read = readText(written, FILE)
    assert.deepEqual(statesOf(read), { 1: 'open' })
    assert.match(remarksOf(read, 'warnings').join(), /^[34]:2 `status` is given twice: the first value is ignored$/)
  }
})

test('what surrounds a subtask is told under its names, the files too; these are not claimed by each', () => {
  const parent = {
    ...{ id: 1, title: 'Accounts', status: 'pending', dependencies: [], technicalConstraints: 'No cookies' },
    relevantFiles: [{ path: 'src/a.ts', action: 'modify' }],
    subtasks: [{ id: 1, title: 'Log in', status: 'pending', dependencies: [], scopeBoundaries: { excluded: 'Mail' } }],
  }
  const read = readText({ tasks: [parent] }, FILE)
  assert.deepEqual(taskOf(read, 'task-1-1').claims.write, [])
  assert.equal(
    promptOf(read, 'task-1-1'),
    'Log in\n\n## Scope boundaries\n\nexcluded: Mail\n\n## What this is part of\n\nAccounts\n\n' +
      'Relevant files:\n- src/a.ts (modify)\n\nTechnical constraints:\nNo cookies',
  )
})

test('subtasks of a subtask may be anything: they are only words', () => {
  const inner = { id: 1, title: 'Inner', subtasks: ['first', 2] }
  const read = readText({ tasks: [{ id: 1, title: 'Outer', status: 'pending', subtasks: [inner] }] }, 'tasks.json')
  assert.deepEqual(Object.keys(statesOf(read)), ['1', '1.1'])
})
