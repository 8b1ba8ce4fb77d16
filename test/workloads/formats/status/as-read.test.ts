// Whatever the reader of a format understands, its status can be written; and what else stands there is somebody's word.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entriesOf, type Given, knownFormat, statusesOf, written } from './written.ts'

describe('the name of a ccpm task as it stands in its line', () => {
  const given: Given = { file: '001.md', format: 'ccpm' }
  for (const name of ['Login: the form', 'Fix #12', '"Sign in" button', '[WIP] form', "'quoted'", 'Plain']) {
    test(name, () => {
      const task = (status: string) => `---\nname: ${name}\nstatus: ${status}\nparallel: true\n---\nDo it\n`
      assert.deepEqual(written(task('open'), { '001': 'done' }, given), { text: task('closed'), conflicts: [] })
    })
  }

  test('all of it says what is to be done', () => {
    const task = (name: string) => `---\nname: ${name}\nstatus: open\nparallel: true\n---\n`
    const now = task('Fix #13')
    const { text, conflicts } = written(task('Fix #12'), { '001': 'done' }, { ...given, now })
    assert.deepEqual([text, conflicts.map(({ why }) => why)], [now, ['another-task']])
  })
})

describe('the box of spec-kit', () => {
  const given: Given = { file: 'tasks.md', format: 'spec-kit' }
  const box = (mark: string) => `- [${mark}] T001 Do it\n`

  for (const mark of ['-', '/', '~', '?'])
    test(`[${mark}] that somebody made of it stays`, () => {
      const { text, conflicts } = written(box(' '), { T001: 'done' }, { ...given, now: box(mark) })
      assert.equal(text, box(mark))
      assert.deepEqual(conflicts, [{ source: 'T001', phase: 'done', why: 'another-status', status: mark }])
    })

  test('a mark that was there from the beginning gives way', () => {
    for (const mark of ['/', '~', '?']) assert.equal(written(box(mark), { T001: 'done' }, given).text, box('x'))
  })

  test('one that somebody has ticked stays as they did it', () => {
    assert.deepEqual(written(box(' '), { T001: 'done' }, { ...given, now: box('X') }), {
      text: box('X'),
      conflicts: [],
    })
  })
})

describe('done of epics and tasks', () => {
  const given: Given = { file: 'tasks.json', format: 'epics-and-tasks' }
  const task = (done: string) => `{"epics":[{"id":1}],"tasks":[{"id":1,"epic_id":1,"description":"x","done":${done}}]}`

  for (const [before, after] of [
    ['false', 'true'],
    ['0', '1'],
    ['"false"', '"true"'],
    ['"False"', '"true"'],
    ['"0"', '"1"'],
    ['null', 'true'],
    ['""', 'true'],
  ] as const)
    test(`${before} becomes ${after}, and is left alone while it is not done`, () => {
      assert.deepEqual(written(task(before), { 1: 'begun' }, given), { text: task(before), conflicts: [] })
      assert.deepEqual(written(task(before), { 1: 'done' }, given), { text: task(after), conflicts: [] })
    })

  for (const done of ['true', '1', '"true"', '"True"', '"1"'])
    test(`${done} that somebody made of it stays`, () => {
      const now = task(done)
      const { text, conflicts } = written(task('"false"'), { 1: 'failed' }, { ...given, now })
      assert.deepEqual([text, conflicts.map(({ why }) => why)], [now, ['another-status']])
    })

  test('it is read as the plan is', () => {
    for (const done of ['true', '1', '"True"', '" 1 "'])
      assert.deepEqual(statusesOf(task(done), given), { 1: 'complete' })
  })
})

describe('epics and tasks that say it otherwise', () => {
  const given: Given = { file: 'tasks.json', format: 'epics-and-tasks' }
  const file = (...tasks: string[]) =>
    `{"tasks":[${tasks.map((task, i) => `{"id":${i + 1},"action":"x",${task}}`).join()}]}`

  const cases: [about: string, before: string[], after: string[]][] = [
    ['completed', ['"completed": false'], ['"completed": true']],
    ['completed as a number', ['"completed":0'], ['"completed":1']],
    ['a status', ['"status": "pending"'], ['"status": "done"']],
    [
      'the word that the file has',
      ['"status":"todo"', '"status":"Completed"'],
      ['"status":"Completed"', '"status":"Completed"'],
    ],
    ['both', ['"done":false, "status":"todo"'], ['"done":true, "status":"done"']],
    ['a status that is not known', ['"status":"review"'], ['"status":"done"']],
    ['a text says nothing', ['"done":null,"completed":"never"'], ['"done":true,"completed":"never"']],
  ]
  for (const [about, before, after] of cases)
    test(about, () => {
      const begun = before[0]?.replace(/"status": ?"\w+"/, (field) => field.replace(/"\w+"$/, '"in_progress"')) ?? ''
      const atWork = { text: file(begun, ...before.slice(1)), conflicts: [] }
      assert.deepEqual(written(file(...before), { 1: 'begun' }, given), atWork)
      assert.deepEqual(written(file(...before), { 1: 'done' }, given), { text: file(...after), conflicts: [] })
      assert.equal(statusesOf(file(...after), given)['1'], 'complete')
    })

  test('that somebody has cancelled it stays', () => {
    const now = file('"done":false,"status":"cancelled"')
    const { text, conflicts } = written(file('"done":false,"status":"todo"'), { 1: 'done' }, { ...given, now })
    assert.deepEqual([text, conflicts.map(({ status }) => status)], [now, ['cancelled']])
  })

  test('what is tried again is open again', () => {
    const [done, open] = [file('"status":"done"', '"status":"todo"'), file('"status":"todo"', '"status":"todo"')]
    assert.equal(written(open, { 1: 'failed' }, { ...given, now: done }).text, done, 'somebody has done it')
    assert.equal(written(open, { 1: 'open' }, { ...given, now: open }).text, open)
  })
})

describe('an id that is a number with a zero at its end', () => {
  const given: Given = { file: 'tasks.json', format: 'task-master' }
  const file = (first: string, last: string) =>
    `{"tasks":[{"id":2,"title":"x","status":"pending","subtasks":[{"id":2.1,"title":"a","status":"${first}"},{"id":2.10,"title":"b","status":"${last}"}]}]}`

  test('is another one than that without it', () => {
    const { text } = written(file('pending', 'pending'), { '2.10': 'done', '2.1': 'failed' }, given)
    assert.equal(text.replace('"x","status":"in-progress"', '"x","status":"pending"'), file('pending', 'done'))
  })
})

describe('an implementation plan', () => {
  const given: Given = { file: 'implementation_plan.json', format: 'implementation-plan' }
  const task = (status: string, more: string) =>
    `{"phases":[{"phase":1,"subtasks":[{"id":"a","description":"x","status":"${status}"${more}}]}]}`
  const facts = { startedAt: 1, finishedAt: 2, session: 's-1', output: 'What the run did' }

  for (const more of ['', ',"actual_output":"My words"', ',"actual_output":null,"completed_at":"today"'])
    test(`what somebody has completed themselves keeps their fields: ${more || 'none'}`, () => {
      const now = task('completed', more)
      const done = written(task('pending', ''), { a: { phase: 'done', ...facts } }, { ...given, now })
      assert.deepEqual(done, { text: now, conflicts: [] })
    })

  test('what failed once more says why this time', () => {
    const now = task('failed', ',"actual_output":"FAILED: before"')
    const { text } = written(now, { a: { phase: 'failed', ...facts } }, given)
    assert.match(text, /"FAILED: What the run did"/)
  })
})

describe('what only the reader of a format knew', () => {
  test('lines of beads that are no issues stay as they are', () => {
    const given: Given = { file: 'issues.jsonl', format: 'beads' }
    const lines = (status: string) =>
      `{"_type":"memory","id":"x-1","value":"v"}\n{"_type":"issue","id":"x-1","title":"a","status":"${status}"}\n{"_type":"memory","key":"k"}\n`
    assert.deepEqual(statusesOf(lines('open'), given), { 'x-1': 'open' })
    assert.equal(written(lines('open'), { 'x-1': 'begun' }, given).text, lines('in_progress'))
  })

  for (const [what, given, text] of [
    [
      'a feature that passes',
      { file: 'q.json', format: 'work-queue' },
      '{"features":[{"id":"a","description":"x","passes":true},{"id":"b","description":"x"}]}',
    ],
    [
      'a subtask of a phase that is cancelled',
      { file: 'p.json', format: 'implementation-plan' },
      '{"phases":[{"phase":1,"status":"cancelled","subtasks":[{"id":"a","description":"x"}]},{"phase":2,"subtasks":[{"id":"b","description":"x"}]}]}',
    ],
  ] as [string, Given, string][])
    test(`${what} is not open for whoever writes either`, () => {
      const read = knownFormat(given.format).read({ file: given.file, text }, null)
      assert.ok(read.ok)
      const open = read.value.filter(({ state }) => state === 'open').map(({ source }) => source)
      assert.deepEqual(open, ['b'])
      assert.deepEqual(
        entriesOf(text, given).map(({ source }) => source),
        ['b'],
      )
    })
})
