// How each format says the status of a task, to the byte; and what is left to the people who changed the file meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KNOWN_FORMATS } from '../../../../src/workloads/formats/known-formats.ts'
import { planFileTasks } from '../../../../src/workloads/formats/status/plan-file-tasks.ts'
import { sample } from '../sample.ts'
import { type Change, entriesOf, type Given, knownFormat, SAMPLES, statusesOf, written } from './written.ts'

const [PLAN, QUEUE, EPICS, TAGS, BEADS, BOXES, CCPM] = SAMPLES

const [NINE, TEN, ELEVEN] = [9, 10, 11].map((hour) => new Date(Date.UTC(2026, 4, 1, hour)).toISOString())
const BEGUN: Change = { phase: 'begun', startedAt: Date.UTC(2026, 4, 1, 10), session: 's-1' }
const DONE: Change = { ...BEGUN, phase: 'done', finishedAt: Date.UTC(2026, 4, 1, 11), output: 'Added it' }
const FAILED: Change = { ...DONE, phase: 'failed', output: 'exited with 1' }

// Files as they are written around the fields of a task.
const plan = (fields: string) =>
  `{\n  // mine\n  "phases": [{ "phase": 1, "subtasks": [\n  { "description": "Do a", "id": "a", ${fields} }\n  ] }]\n}\n`
const queue = (fields: string, top = '') => `{${top}"features": [{"id": "A", "description": "a"${fields}}]}`
const epics = (...tasks: string[]) =>
  `{"tasks":[${tasks.map((task, i) => `{"id":${i + 1},"action":"x",${task}}`).join()}]}`
const steps = (...statuses: string[]) =>
  `[${statuses.map((status, i) => `{"id": ${i + 1}, "title": "a", "status": "${status}"}`).join(', ')}]`
const tags = (...next: string[]) => `{"master": {"tasks": ${steps('pending')}},\n"next": {"tasks": ${steps(...next)}}}`
const whole = (parts: string) => `{"tasks":[{"id":1,"title":"x","status":"pending","subtasks":${parts}}]}`
// `1.10` is another subtask than `1.1`.
const numbered = (second: string) =>
  whole(`[{"id":1.1,"title":"a","status":"pending"},{"id":1.10,"title":"b","status":"${second}"}]`)
const issue = (status: string, more = '') => `{"id":"a","title":"Do a","status":"${status}"${more},"labels":["x"]}\n`
const issues = (a: string, b: string, c: string) =>
  `{"_type":"memory","id":"a","value":"v"}\n{"id":"a","title":"a","status":"${a}","x":[1]}\n\n` +
  `  {"id": "b", "title": "b", "status": "${b}"}\r\n{"id":"c","title":"c","status":"${c}"}`
const boxes = (a: string, b: string, d: string) =>
  `## One\r\n\r\n- [${a}] T001 a [ ]\r\n  * [${b}] **T002** [P] b\r\n\`\`\`\n- [ ] T003 no\n\`\`\`\n` +
  `- [ ] T003 c\n- [${d}] [P] [T004] d\n- [ ] other\n`
const ccpm = (status: string, rest = 'parallel: true\n') => `---\r\nname: A #1\r\n${status}${rest}---\n\nstatus: open\n`
const COMPLETED = '"status":"Completed"'
const TODO = '"done":false,"status":"todo"'
const VALID = '"rules": {"valid_status": ["pending", "spec_ready", "in_progress", "done"]}, '
const SHIPPED = '"valid_status": ["todo", "doing", "shipped"], '
const times = (updated: string | undefined, more = '') => `,"created_at":"${NINE}","updated_at":"${updated}"${more}`
const STAMPS = `"started_at": "${TEN}", "session_id": "s-1"`
const ENDED = `"started_at": "${TEN}", "completed_at": "${ELEVEN}", "session_id": "s-1", "actual_output": "Added it"`
const CLOSED = `,"closed_at":"${ELEVEN}"`
const REPORT = '"actual_output": "FAILED: see the report"'

/** What the file says before, what happens, and what it says then; `now`: as a person has made it meanwhile. */
type Row = [given: Given, before: string, changes: Record<string, Change>, after: string, now?: string | undefined]
type Fields = [before: string, change: Change, after: string, now?: string]

/** Of one task of a file, whose fields are all that differs. */
function rowsOf(given: Given, file: (fields: string) => string, task: string, rows: Fields[]): Row[] {
  return rows.map(([before, change, after, now]) => {
    return [given, file(before), { [task]: change }, file(after), now && file(now)]
  })
}

/** As it is to be, and as it is already. */
const twice = (text: string): [string, string] => [text, text]

const ROWS: Row[] = [
  ...rowsOf(PLAN, plan, 'a', [
    ['"status": "pending", "notes": ""', BEGUN, `"status": "in_progress", ${STAMPS}, "notes": ""`],
    ['"status": "pending"', DONE, `"status": "completed", ${ENDED}`],
    ['"status": "pending"', FAILED, `"status": "failed", ${STAMPS}, "actual_output": "FAILED: exited with 1"`],
    ['"status": "pending"', 'blocked', '"status": "blocked"'],
    // What an earlier run left is emptied when it begins again, and replaced when it fails again.
    ['"status": "failed", "completed_at": "x"', 'begun', '"status": "in_progress", "completed_at": null'],
    ['"status": "failed", "actual_output": "y"', 'begun', '"status": "in_progress", "actual_output": null'],
    ['"status": "failed", "actual_output": "FAILED: y"', 'failed', `"status": "failed", ${REPORT}`],
    ['"notes": ""', 'done', '"status": "completed", "notes": ""'],
    // What somebody has completed themselves keeps their fields.
    ['"status": "pending"', DONE, ...twice('"status": "completed", "actual_output": "Mine"')],
  ]),

  ...rowsOf(QUEUE, queue, 'A', [
    [', "status": "pending"', 'done', ', "status": "complete"'],
    [', "state": "not_started"', 'begun', ', "state": "in_progress"'],
    [', "state": "not_started"', 'done', ', "state": "passing"'],
    [', "passes": false', 'begun', ', "passes": false'],
    [', "passes": false', 'done', ', "passes": true'],
    [', "state":"todo"}, {"id":"B", "state":"passed"', 'done', ', "state":"passed"}, {"id":"B", "state":"passed"'],
  ]),
  [QUEUE, queue(''), { A: 'begun' }, '{"features": [{"id": "A", "status": "in_progress", "description": "a"}]}'],
  [QUEUE, queue(', "status": "pending"', VALID), { A: 'done' }, queue(', "status": "done"', VALID)],
  // It has no word for what failed or is blocked; and where none is known to mean `done`, nothing is written.
  [QUEUE, queue(', "status": "in_progress"', VALID), { A: 'failed' }, queue(', "status": "pending"', VALID)],
  [QUEUE, queue(', "status": "in_progress"', VALID), { A: 'blocked' }, queue(', "status": "pending"', VALID)],
  [QUEUE, queue(', "state": "todo"', SHIPPED), { A: 'done' }, queue(', "state": "todo"', SHIPPED)],

  ...rowsOf(EPICS, epics, '1', [
    ['"done":false', 'done', '"done":true'],
    ['"done":0', 'done', '"done":1'],
    ['"done":"False"', 'done', '"done":"true"'],
    ['"done":"0"', 'done', '"done":"1"'],
    ['"done":null', 'done', '"done":true'],
    ['"completed":0', 'done', '"completed":1'],
    ['"status":"review"', 'done', '"status":"done"'],
    ['"done":false, "status":"todo"', 'done', '"done":true, "status":"done"'],
    ['"done":null,"completed":"never"', 'done', '"done":true,"completed":"never"'],
    ['"done":false', 'begun', '"done":false'],
  ]),
  [EPICS, epics('"status":"todo"', COMPLETED), { 1: 'done' }, epics(COMPLETED, COMPLETED)],

  [{ ...TAGS, part: 'next' }, tags('pending', 'review'), { 1: 'begun', 2: 'failed' }, tags('in-progress', 'pending')],
  [TAGS, numbered('pending'), { '1.10': 'done', '1.1': 'failed' }, numbered('done').replace('pending', 'in-progress')],

  [
    BEADS,
    issues('open', 'open', 'open'),
    { a: 'begun', b: 'done', c: 'blocked' },
    issues('in_progress', 'closed', 'blocked'),
  ],
  // `updated_at` never goes back; a closed issue has `closed_at`, one that is opened again has not.
  [BEADS, issue('open', times(NINE)), { a: BEGUN }, issue('in_progress', times(TEN))],
  [BEADS, issue('open', times(NINE)), { a: DONE }, issue('closed', times(ELEVEN, CLOSED))],
  [BEADS, issue('open', times(ELEVEN)), { a: BEGUN }, issue('in_progress', times(ELEVEN))],
  [BEADS, issue('open'), { a: DONE }, issue('closed', CLOSED)],
  [{ ...BEADS, wrote: ['done'] }, issue('open'), { a: BEGUN }, issue('in_progress'), issue('closed', CLOSED)],
  // One that somebody has closed keeps their time, and gets one where it has none.
  [BEADS, issue('open'), { a: DONE }, ...twice(issue('closed', `,"closed_at":"${NINE}"`))],
  [BEADS, issue('open'), { a: DONE }, issue('closed', CLOSED), issue('closed')],

  [BOXES, boxes(' ', '/', ' '), { T001: 'done', T002: 'done', T003: 'begun', T004: 'done' }, boxes('x', 'x', 'x')],
  [BOXES, '- [ ] T001 a\n', { T001: 'done' }, ...twice('- [X] T001 a\n')],

  [CCPM, ccpm('status:   "open"  # for now\r\n'), { '002': 'begun' }, ccpm('status:   in-progress  # for now\r\n')],
  [CCPM, ccpm('status:\r\n'), { '002': 'done' }, ccpm('status: closed\r\n')],
  [CCPM, ccpm(''), { '002': 'done' }, ccpm('').replace('---\r\n', '---\r\nstatus: closed\r\n')],
  ...['Login: the form', '"Sign in" button', '[WIP] form', "'quoted'"].map((name): Row => {
    const task = (status: string) => `---\nname: ${name}\nstatus: ${status}\nparallel: true\n---\nDo it\n`
    return [CCPM, task('open'), { '002': 'done' }, task('closed')]
  }),
]

for (const [given, before, changes, after, now] of ROWS)
  test(`${given.format}, written: ${before.trim().replace(/\s+/g, ' ')} ${JSON.stringify(changes)}`, () => {
    assert.deepEqual(written(before, changes, { ...given, now }), { text: after, conflicts: [] })
    assert.equal(written(before, changes, { ...given, now: after }).text, after, 'and again, it is the same')
  })

test('notes, new tasks, comments and another order around a task stay', () => {
  const now =
    '{"phases": [{ "phase": 1, "subtasks": [\n// look\n{ "notes": "n", "status": "pending", "id": "a", "description": "Do a" }, { "id": "new" },] }]}'
  const { text } = written(plan('"status": "pending"'), { a: 'done' }, { ...PLAN, now })
  assert.equal(text, now.replace('pending', 'completed'))
})

test('formats without a place for a status, and the own one, are never written', () => {
  for (const format of ['batch-plan', 'gsd-plan', 'espalier'])
    assert.equal(planFileTasks({ format, entries: [] }, [sample('batch-plan.md')], null), null, format)
  assert.equal(KNOWN_FORMATS.filter(({ status }) => status).length, 7)
})

/** What a person made of a task meanwhile: the text, and what is told of it. */
type Theirs = [Given, before: string, now: string, Record<string, Change>, why: string, status: string]

const PENDING = plan('"status": "pending"')

const THEIRS: Theirs[] = [
  [PLAN, PENDING, plan('"status": "completed"'), { a: 'begun' }, 'another-status', 'completed'],
  [PLAN, PENDING, plan('"status": "parked"'), { a: 'failed' }, 'another-status', 'parked'],
  [PLAN, PENDING, PENDING.replace('"a"', '"b"'), { a: 'done' }, 'gone', ''],
  // What a run may write itself is a person's word where this run did not.
  ...['completed', 'failed', 'blocked'].map((word): Theirs => {
    return [PLAN, PENDING, plan(`"status": "${word}"`), { a: 'open' }, 'another-status', word]
  }),
  [QUEUE, queue(', "state": "not_started"'), queue(', "state": "blocked"'), { A: 'done' }, 'another-status', 'blocked'],
  [EPICS, epics('"done":"false"'), epics('"done":"True"'), { 1: 'failed' }, 'another-status', 'complete'],
  [EPICS, epics(TODO), epics(TODO.replace('todo', 'cancelled')), { 1: 'done' }, 'another-status', 'cancelled'],
  [TAGS, numbered('pending'), numbered('done'), { '1.10': 'begun' }, 'another-status', 'done'],
  [BEADS, issue('open'), issue('blocked'), { a: 'done' }, 'another-status', 'blocked'],
  ...['-', '/', '~', '?', 'x'].map((mark): Theirs => {
    const change = mark === 'x' ? 'open' : 'done'
    return [BOXES, '- [ ] T001 Do it\n', `- [${mark}] T001 Do it\n`, { T001: change }, 'another-status', mark]
  }),
  [BOXES, '- [ ] T001 Do it\n', '- [ ] ~~T001 Do it~~\n', { T001: 'done' }, 'another-status', 'struck out'],
  [CCPM, ccpm('status: open\r\n'), ccpm('status: blocked\r\n'), { '002': 'done' }, 'another-status', 'blocked'],
]

for (const [given, before, now, changes, why, status] of THEIRS)
  test(`${given.format}, changed by a person meanwhile, stays and is reported: ${now.trim().replace(/\s+/g, ' ')} ${JSON.stringify(changes)}`, () => {
    const [source] = Object.keys(changes)
    assert.deepEqual(written(before, changes, { ...given, now }), { text: now, conflicts: [{ source, why, status }] })
  })

test('a task that is the sum of others is done when they are, with those that were added meanwhile', () => {
  const before = whole(steps('done', 'pending', 'pending'))
  const sum = (changes: Record<string, Change>, now = before) =>
    statusesOf(written(before, changes, { ...TAGS, now }).text, TAGS)['1']
  const all: Record<string, Change> = { '1.2': 'done', '1.3': 'done' }
  assert.equal(sum({}), 'pending')
  assert.equal(sum({ '1.2': 'begun' }), 'in-progress')
  assert.equal(sum({ '1.2': 'done', '1.3': 'failed' }), 'in-progress')
  assert.equal(sum(all), 'done')
  assert.equal(sum(all, whole(steps('done', 'pending', 'pending', 'pending'))), 'in-progress')
  assert.equal(sum(all, whole(steps('done', 'pending', 'blocked'))), 'in-progress', 'somebody says a part is blocked')
})

test('an issue is closed with the last issue below it, and the epic above it too', () => {
  const part = (id: string, issue_type: string, ...of: string[]) => {
    const dependencies = of.map((whole) => ({ issue_id: id, depends_on_id: whole, type: 'parent-child' }))
    return JSON.stringify({ id, title: id, status: 'open', issue_type, dependencies })
  }
  const epics = [part('top', 'epic'), part('sub', 'epic', 'top')]
  const text = [...epics, part('f', 'feature', 'sub'), part('t', 'task', 'f')].join('\n')
  const after = (changes: Record<string, Change>) => written(text, changes, BEADS).text
  const sums = (changes: Record<string, Change>) => Object.values(statusesOf(after(changes), BEADS)).join(' ')
  assert.equal(sums({ f: 'begun' }), 'in_progress in_progress in_progress open')
  assert.equal(sums({ f: 'done' }), 'in_progress in_progress closed open', 'a part of its issue is left')
  assert.equal(sums({ f: 'done', t: 'done' }), 'closed closed closed closed')
  const last = { ...DONE, finishedAt: Date.UTC(2026, 4, 1, 12) }
  assert.match(after({ f: DONE, t: last }), /^.*"closed_at":"2026-05-01T12:00:00.000Z"/)
})

for (const [given, text] of [
  [QUEUE, '{"features":[{"id":"a","description":"x","passes":true},{"id":"b","description":"x"}]}'],
  [PLAN, '{"phases":[{"status":"cancelled","subtasks":[{"id":"a"}]},{"subtasks":[{"id":"b","description":"x"}]}]}'],
] as const)
  test(`${given.format}: what the reader takes for done or left out is not open for the writer either`, () => {
    const read = knownFormat(given.format).read({ file: given.file, text }, null)
    const open = read.ok ? read.value.filter(({ state }) => state === 'open') : []
    for (const tasks of [open, entriesOf(text, given)]) assert.equal(tasks.map(({ source }) => source).join(), 'b')
  })
