// What is known of a plan file from the beginning of a run, when the plan is taken over again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mergedOrigin,
  type OriginFile,
  type PlanOrigin,
  planOrigin,
  withoutStatus,
} from '../../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { type Given, knownFormat } from '../status/written.ts'

const QUEUE: Given = { file: 'queue.json', format: 'work-queue' }

function origin(entries: OriginFile['entries']): PlanOrigin {
  return { format: 'work-queue', part: null, files: [{ path: QUEUE.file, entries }] }
}

test('what is to be done is taken over with the plan, unless it came too late; the first status stays', () => {
  const entry = (task: string, says: string, status = 'pending') => ({ task, source: task.toUpperCase(), status, says })
  const before = origin([entry('a', '1'), entry('b', '1'), entry('gone', '1')])
  const now = origin([entry('a', '2', 'in_progress'), entry('b', '2', 'in_progress'), entry('new', '2')])
  assert.deepEqual(mergedOrigin(before, now, new Set(['a'])).files, [
    { path: QUEUE.file, entries: [entry('a', '1'), entry('b', '2'), entry('gone', '1'), entry('new', '2')] },
  ])
})

test('what the run has written is taken out of a task that somebody changed, too', () => {
  const text = (status: string, words: string) =>
    `{"features":[{"id":"A","description":"${words}","status":"${status}"}]}`
  const taken = (status: string, isDone: boolean) => {
    const file = { file: QUEUE.file, text: text(status, 'Do something else') }
    const without = withoutStatus(knownFormat('work-queue'), file, { written: [{ source: 'A', isDone }], part: null })
    assert.ok(without.ok)
    return without.value
  }
  const open = text('pending', 'Do something else')
  assert.equal(taken('complete', true), open)
  assert.equal(taken('in_progress', false), open)
  assert.equal(taken('complete', false), text('complete', 'Do something else'), 'somebody else has done it')
})

test('a file that a task must be in and that cannot be read is warned of, with the reason', () => {
  const entries = [{ task: 'a', source: 'A', state: 'open' as const }]
  const unreadable = (text: string) => {
    const found = planOrigin({ format: 'work-queue', entries }, [{ file: QUEUE.file, text }], null)
    return found?.unreadable?.map(({ file, line, severity, message }) => [file, line, severity, message])
  }
  assert.deepEqual(unreadable('{"features":[{"id":"A","description":"Do a"}]}'), [])
  const [[file, line, severity, message] = []] = unreadable('{\n"features":[') ?? []
  assert.deepEqual([file, line, severity], ['queue.json', 2, 'warning'])
  assert.match(
    String(message),
    /^how its tasks stand cannot be written into this file, so a later run does them again: ./,
  )
})

test('a file that cannot be read and has no task is nobody’s trouble', () => {
  const entries = [{ task: 'task-001', source: '001', state: 'open' as const }]
  const files = [
    { file: '001.md', text: '---\nname: A\nparallel: true\n---\n' },
    { file: 'epic.md', text: 'no fields' },
  ]
  assert.deepEqual(planOrigin({ format: 'ccpm', entries }, files, null)?.unreadable, [])
})
