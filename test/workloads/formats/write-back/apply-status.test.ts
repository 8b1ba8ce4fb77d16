// How each format says how far a task is, to the byte; and what is left to the people who changed the file meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { STATUS_FILES } from '../../../../src/workloads/formats/known-formats.ts'
import { applyStatus } from '../../../../src/workloads/formats/write-back/apply-status.ts'
import { planOrigin } from '../../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { sample } from '../sample.ts'
import { type Change, entriesOf, factsOf, type Given, knownFormat, statusesOf, written } from '../status/written.ts'

const PLAN: Given = { file: 'implementation_plan.json', format: 'implementation-plan' }
const QUEUE: Given = { file: 'queue.json', format: 'work-queue' }

/** One subtask as it is written, in a plan around it. */
function plan(subtask: string, more = ''): string {
  return `{\n  // mine\n  "phases": [{ "phase": 1, "subtasks": [\n${subtask}${more}\n  ] }]\n}\n`
}

const BEGUN: Change = { phase: 'begun', startedAt: Date.UTC(2026, 4, 1, 10), session: 's-1' }
const DONE: Change = { ...BEGUN, phase: 'done', finishedAt: Date.UTC(2026, 4, 1, 11), output: 'Added it' }
const FAILED: Change = { ...BEGUN, phase: 'failed', finishedAt: Date.UTC(2026, 4, 1, 11), output: 'exited with 1' }

describe('implementation_plan.json', () => {
  const task = '      { "id": "a", "description": "Do a", "status": "pending", "notes": "" }'
  const before = plan(task)

  const cases: [string, Change, string][] = [
    ['begun', BEGUN, '"status": "in_progress", "started_at": "2026-05-01T10:00:00.000Z", "session_id": "s-1",'],
    [
      'done',
      DONE,
      '"status": "completed", "started_at": "2026-05-01T10:00:00.000Z", "completed_at": "2026-05-01T11:00:00.000Z", "session_id": "s-1", "actual_output": "Added it",',
    ],
    [
      'failed',
      FAILED,
      '"status": "failed", "started_at": "2026-05-01T10:00:00.000Z", "session_id": "s-1", "actual_output": "FAILED: exited with 1",',
    ],
    ['blocked', 'blocked', '"status": "blocked",'],
    ['open', 'open', '"status": "pending",'],
  ]
  for (const [name, change, after] of cases) {
    test(name, () => {
      const { text, conflicts } = written(before, { a: change }, PLAN)
      assert.equal(text, before.replace('"status": "pending",', after))
      assert.deepEqual(conflicts, [])
      assert.equal(written(before, { a: change }, { ...PLAN, now: text }).text, text, 'and again, it is the same')
    })
  }

  test('what an earlier run left is emptied when it begins again', () => {
    const failed = '{"id": "a", "description": "Do a", "status": "failed", "completed_at": "x", "actual_output": "y"}'
    assert.equal(
      written(plan(failed), { a: 'begun' }, PLAN).text,
      plan(failed.replace('failed', 'in_progress').replace('"x"', 'null').replace('"y"', 'null')),
    )
  })

  test('a subtask without a status gets one behind its id', () => {
    const bare = '{ "id": "a", "description": "Do a" }'
    const after = '{ "id": "a", "status": "completed", "description": "Do a" }'
    assert.equal(written(plan(bare), { a: 'done' }, PLAN).text, plan(after))
  })
})

describe('the other formats', () => {
  const cases: [Given, before: string, Record<string, Change>, after: string][] = [
    [
      QUEUE,
      '{"features":[{"id":"A","description":"a","status":"pending"},{"id":"B","description":"b"},{"id":"C","description":"c","status":"in_progress"}]}',
      { A: 'done', B: 'begun', C: FAILED },
      '{"features":[{"id":"A","description":"a","status":"complete"},{"id":"B","status":"in_progress","description":"b"},{"id":"C","description":"c","status":"failed"}]}',
    ],
    [
      { file: 'tasks.json', format: 'epics-and-tasks' },
      '{"epics": [], "tasks": [{"id": 1, "description": "a", "done": false}, {"id": 2, "description": "b", "done": 0}, {"id": 3, "action": "c"}]}',
      { 1: 'done', 2: 'done', 3: 'failed' },
      '{"epics": [], "tasks": [{"id": 1, "description": "a", "done": true}, {"id": 2, "description": "b", "done": 1}, {"id": 3, "action": "c"}]}',
    ],
    [
      { file: 'tasks.json', format: 'task-master', part: 'next' },
      '{"master": {"tasks": [{"id": 1, "title": "a", "status": "pending"}]},\n"next": {"tasks": [{"id": 1, "title": "a", "status": "pending"}, {"id": 2, "title": "b", "status": "review"}]}}',
      { 1: 'begun', 2: FAILED },
      '{"master": {"tasks": [{"id": 1, "title": "a", "status": "pending"}]},\n"next": {"tasks": [{"id": 1, "title": "a", "status": "in-progress"}, {"id": 2, "title": "b", "status": "pending"}]}}',
    ],
    [
      { file: 'issues.jsonl', format: 'beads' },
      '{"id":"a","title":"a","status":"open","x":[1]}\n\n  {"id": "b", "title": "b", "status": "open"}\r\n{"id":"c","title":"c","status":"open"}',
      { a: 'begun', b: 'done', c: 'blocked' },
      '{"id":"a","title":"a","status":"in_progress","x":[1]}\n\n  {"id": "b", "title": "b", "status": "closed"}\r\n{"id":"c","title":"c","status":"blocked"}',
    ],
    [
      { file: 'tasks.md', format: 'spec-kit' },
      '## One\r\n\r\n- [ ] T001 a [ ]\r\n  * [ ] **T002** [P] b\r\n```\n- [ ] T003 no\n```\n- [ ] T003 c\n- [ ] [P] [T004] d\n- [ ] other\n',
      { T001: 'done', T002: 'done', T003: 'begun', T004: 'done' },
      '## One\r\n\r\n- [x] T001 a [ ]\r\n  * [x] **T002** [P] b\r\n```\n- [ ] T003 no\n```\n- [ ] T003 c\n- [x] [P] [T004] d\n- [ ] other\n',
    ],
    [
      { file: '001.md', format: 'ccpm' },
      '---\nname: A\nstatus:   "open"  # for now\nparallel: true\n---\n\nstatus: open\n',
      { '001': 'begun' },
      '---\nname: A\nstatus:   in-progress  # for now\nparallel: true\n---\n\nstatus: open\n',
    ],
    [
      { file: '001.md', format: 'ccpm' },
      '---\r\nname: A\r\nstatus:\r\nparallel: true\r\n---\r\n',
      { '001': 'done' },
      '---\r\nname: A\r\nstatus: closed\r\nparallel: true\r\n---\r\n',
    ],
    [
      { file: '001.md', format: 'ccpm' },
      '---\r\nname: A\r\nparallel: true\r\n---\r\n',
      { '001': 'done' },
      '---\r\nstatus: closed\r\nname: A\r\nparallel: true\r\n---\r\n',
    ],
  ]
  for (const [given, before, changes, after] of cases) {
    test(`${given.format}: ${Object.values(changes).map((change) => (typeof change === 'string' ? change : change.phase))}`, () => {
      const { text, conflicts } = written(before, changes, given)
      assert.equal(text, after)
      assert.deepEqual(conflicts, [])
      assert.equal(written(before, changes, { ...given, now: text }).text, text, 'and again, it is the same')
    })
  }
})

test('a task that is the sum of others is done when they are, with those that were added meanwhile', () => {
  const given: Given = { file: 'tasks.json', format: 'task-master' }
  const file = (subtasks: string[]) =>
    `{"tasks": [{"id": 1, "title": "a", "status": "pending", "subtasks": [${subtasks.map(
      (status, i) => `{"id": ${i + 1}, "title": "s", "status": "${status}"}`,
    )}]}]}`
  const before = file(['done', 'pending', 'pending'])
  const parentOf = (changes: Record<string, Change>, now = before) =>
    statusesOf(written(before, changes, { ...given, now }).text, given)['1']
  assert.equal(parentOf({}), 'pending')
  assert.equal(parentOf({ '1.2': 'begun' }), 'in-progress')
  assert.equal(parentOf({ '1.2': 'done', '1.3': 'failed' }), 'in-progress')
  assert.equal(parentOf({ '1.2': 'done', '1.3': 'done' }), 'done')
  assert.equal(
    parentOf({ '1.2': 'done', '1.3': 'done' }, file(['done', 'pending', 'pending', 'pending'])),
    'in-progress',
  )
  assert.equal(
    parentOf({ '1.2': 'done', '1.3': 'done' }, file(['done', 'pending', 'blocked'])),
    'in-progress',
    'somebody says that a part is blocked',
  )
})

test('an epic of beads, and the epic above it, are closed with their last issue', () => {
  const given: Given = { file: 'issues.jsonl', format: 'beads' }
  const issue = (id: string, type: string, parent: string) =>
    JSON.stringify({
      id,
      title: id,
      status: 'open',
      issue_type: type,
      dependencies: parent ? [{ issue_id: id, depends_on_id: parent, type: 'parent-child' }] : [],
    })
  const before = [issue('top', 'epic', ''), issue('sub', 'epic', 'top'), issue('a', 'task', 'sub')].join('\n')
  assert.deepEqual(statusesOf(written(before, { a: 'begun' }, given).text, given), {
    top: 'in_progress',
    sub: 'in_progress',
    a: 'in_progress',
  })
  assert.deepEqual(statusesOf(written(before, { a: 'done' }, given).text, given), {
    top: 'closed',
    sub: 'closed',
    a: 'closed',
  })
})

test('an epic of beads is not closed before what is part of its issues', () => {
  const given: Given = { file: 'issues.jsonl', format: 'beads' }
  const issue = (id: string, issue_type: string, part: string) =>
    JSON.stringify({
      id,
      title: id,
      status: 'open',
      issue_type,
      dependencies: part === '' ? [] : [{ issue_id: id, depends_on_id: part, type: 'parent-child' }],
    })
  const before = [issue('e', 'epic', ''), issue('f', 'feature', 'e'), issue('t', 'task', 'f')].join('\n')
  assert.equal(statusesOf(written(before, { f: 'done' }, given).text, given).e, 'in_progress')
  assert.equal(statusesOf(written(before, { f: 'done', t: 'done' }, given).text, given).e, 'closed')
})

describe('the times of beads', () => {
  const given: Given = { file: 'issues.jsonl', format: 'beads' }
  const [T9, T10, T11, T12] = [9, 10, 11, 12].map((hour) => new Date(Date.UTC(2026, 4, 1, hour)).toISOString())
  const times = (updated: string | undefined, more = '') =>
    `"created_at":"${T9}","updated_at":"${updated}"${more},"labels":["x"]`
  const issue = (status: string, rest: string, space = '') =>
    `{"id":"a",${space}"title":"Do a",${space}"status":${space}"${status}",${rest}}\n`
  const before = issue('open', times(T9))
  const write = (change: Change, now: string) => written(before, { a: change }, { ...given, now })

  test('a closed issue has the time of that, one that is opened again has not', () => {
    const closed = issue('closed', times(T11, `,"closed_at":"${T11}"`))
    assert.deepEqual(write(DONE, before), { text: closed, conflicts: [] })
    assert.equal(write(DONE, closed).text, closed, 'and again, it is the same')
    const entry = entriesOf(before, given).map((one) => ({ ...one, status: 'closed', ...factsOf(BEGUN) }))
    const opened = applyStatus(
      knownFormat('beads'),
      { file: given.file, text: closed },
      { tasks: entry, groups: [] },
      null,
    )
    assert.ok(opened.ok)
    assert.equal(opened.value.text, issue('in_progress', times(T11)))
  })

  test('it changes with every status, and never back', () => {
    assert.equal(write(BEGUN, before).text, issue('in_progress', times(T10)))
    assert.equal(write(FAILED, issue('in_progress', times(T10))).text, issue('open', times(T11)))
    const edited = times(T12)
    assert.equal(write(DONE, issue('open', edited)).text, issue('closed', times(T12, `,"closed_at":"${T11}"`)))
  })

  test('where there is no time of a change, none is made up', () => {
    const bare = issue('open', '"priority":1', ' ')
    const closed = issue('closed', `"closed_at": "${T11}","priority":1`, ' ').replace(',"closed_at"', ', "closed_at"')
    assert.equal(written(bare, { a: DONE }, given).text, closed)
    assert.equal(written(bare, { a: BEGUN }, given).text, issue('in_progress', '"priority":1', ' '))
  })

  test('one that somebody has closed keeps their time, and gets one where it has none', () => {
    const theirs = issue('closed', times(T9, `,"closed_at":"${T9}"`))
    assert.deepEqual(write(DONE, theirs), { text: theirs, conflicts: [] })
    assert.equal(write(DONE, issue('closed', times(T9))).text, issue('closed', times(T11, `,"closed_at":"${T11}"`)))
  })

  test('an epic is closed when the last of its issues is', () => {
    const part = (id: string) =>
      `{"id":"${id}","title":"${id}","status":"open","dependencies":[{"issue_id":"${id}","depends_on_id":"e","type":"parent-child"}]}`
    const text = ['{"id":"e","title":"e","status":"open","issue_type":"epic"}', part('a'), part('b')].join('\n')
    const [epic = ''] = written(
      text,
      { a: { ...DONE, finishedAt: Date.UTC(2026, 4, 1, 12) }, b: DONE },
      given,
    ).text.split('\n')
    assert.equal(epic, `{"id":"e","title":"e","status":"closed","closed_at":"${T12}","issue_type":"epic"}`)
  })
})

describe('what a person changed meanwhile', () => {
  const before = plan('{ "id": "a", "description": "Do a", "status": "pending" }')
  const now = (subtask: string) => ({ ...PLAN, now: plan(subtask) })

  for (const [name, subtask, change, why] of [
    ['is done already', '{ "id": "a", "description": "Do a", "status": "completed" }', 'begun', 'another-status'],
    ['is blocked', '{ "id": "a", "description": "Do a", "status": "blocked" }', 'done', 'another-status'],
    [
      'has a status of their own',
      '{ "id": "a", "description": "Do a", "status": "parked" }',
      'failed',
      'another-status',
    ],
    ['is another task now', '{ "id": "a", "description": "Do b", "status": "pending" }', 'done', 'another-task'],
    ['is gone', '{ "id": "b", "description": "Do a", "status": "pending" }', 'done', 'gone'],
  ] as const) {
    test(`a task that ${name} is left as it is, and reported`, () => {
      const given = now(subtask)
      const { text, conflicts } = written(before, { a: change }, given)
      assert.equal(text, given.now)
      assert.deepEqual(
        conflicts.map((one) => [one.source, one.phase, one.why]),
        [['a', change, why]],
      )
    })
  }

  test('to what the run says as well is no conflict, also in other words', () => {
    const given = now('{ "id": "a", "description": "Do a", "status": "Done" }')
    assert.deepEqual(written(before, { a: 'done' }, given), { text: given.now, conflicts: [] })
  })

  test('a status that the run has written itself is the run’s to change', () => {
    const given = now('{ "id": "a", "description": "Do a", "status": "in_progress" }')
    assert.match(written(before, { a: 'done' }, given).text, /completed/)
  })

  test('around a task stays: notes, new tasks, comments, another order', () => {
    const given = now(
      '// look\n{ "notes": "n", "status": "pending", "description": "Do a", "id": "a" },\n{ "id": "new", "description": "Do new" },',
    )
    const { text } = written(before, { a: 'done' }, given)
    assert.equal(text, given.now.replace('pending', 'completed'))
  })
})

test('formats without a place for a status, and the own one, are never written', () => {
  for (const format of ['batch-plan', 'gsd-plan', 'espalier'])
    assert.equal(planOrigin({ format, entries: [] }, [sample('batch-plan.md')], null), null, format)
  assert.equal(STATUS_FILES.length, 7)
})
