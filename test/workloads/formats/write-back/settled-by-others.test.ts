import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  planOrigin,
  sourceFile,
  statusFileOf,
} from '../../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { overtaken } from '../../../../src/workloads/formats/write-back/settled-by-others.ts'
import { openSource } from '../../../../src/workloads/plan/source.ts'

/** What is found of a file that was `before` when the run began and is `after` now, if nothing has begun. */
function found(before: string, after: string, file = 'plan.json'): string[] {
  const files = [{ file, text: before }]
  const source = openSource(files, file, {})
  assert.ok(source.ok, JSON.stringify(source))
  const origin = planOrigin(source.value, files, null)
  const format = statusFileOf(source.value.format)
  assert.ok(origin && format)
  const waiting = origin.files.flatMap(({ entries }) => entries)
  return overtaken(format, sourceFile(file, after), waiting, null).map(({ task, source: id, status }) => {
    return `${task} ${id} ${status}`
  })
}

function subtasks(a: string, b: string): string {
  const list = [
    { id: 'A', description: 'Do a', status: a },
    { id: 'B', description: 'Do b', status: b },
  ]
  return JSON.stringify({ phases: [{ phase: 1, subtasks: list }] })
}

test('what somebody has put to rest is found, and nothing else', () => {
  const before = subtasks('pending', 'blocked')
  assert.deepEqual(found(before, before), [], 'it was blocked before, and is run all the same')
  assert.deepEqual(found(before, subtasks('completed', 'completed')), ['a A completed', 'b B completed'])
  assert.deepEqual(found(before, subtasks('Blocked', 'pending')), ['a A Blocked'])
  assert.deepEqual(found(before, subtasks('in_progress', 'failed')), [])
  assert.deepEqual(found(before, before.replace('"A"', '"C"')), [], 'it is gone')
  assert.deepEqual(found(before, before.slice(0, 40)), [], 'somebody is saving it')
})

test('a part of what is done or cancelled is so, too', () => {
  const tasks = (status: string) =>
    JSON.stringify({
      tasks: [
        {
          ...{ id: 1, title: 'Whole', status, dependencies: [] },
          subtasks: [{ id: 1, title: 'Part', status: 'pending', dependencies: [] }],
        },
        { id: 2, title: 'Other', status: 'pending', dependencies: [] },
      ],
    })
  assert.deepEqual(found(tasks('pending'), tasks('deferred')), ['task-1 1 deferred', 'task-1-1 1.1 deferred'])
})

test('where there is no word for blocked, the one for open says nothing', () => {
  const task = (done: object) => {
    const tasks = [{ id: 1, epic_id: 1, description: 'Do it', ...done }]
    return JSON.stringify({ epics: [{ id: 1, name: 'All' }], tasks })
  }
  assert.deepEqual(found(task({}), task({ done: false })), [])
  assert.deepEqual(found(task({}), task({ done: true })), ['task-1 1 complete'])
  const boxes = '# Tasks: T\n\n## Phase 1: Setup\n\n- [ ] T001 Do it in a.txt\n- [ ] T002 Do it in b.txt\n'
  assert.deepEqual(found(boxes, boxes.replace('[ ] T002', '[x] T002'), 'tasks.md'), ['t002 T002 x'])
  assert.deepEqual(found(boxes, boxes.replace('[ ] T002', '[-] T002'), 'tasks.md'), ['t002 T002 -'], 'struck out')
  assert.deepEqual(found(boxes, boxes.replace('[ ] T002', '[/] T002'), 'tasks.md'), [], 'somebody has begun it')
})
