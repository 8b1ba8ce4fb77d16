// What is known of a plan file from the beginning of a run, when the plan is taken over again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mergedOrigin,
  type OriginFile,
  type PlanOrigin,
  withoutStatus,
} from '../../../../src/workloads/formats/write-back/plan-origin.ts'
import { entriesOf, type Given, knownFormat } from './written.ts'

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
  const entries = entriesOf(text('pending', 'Do a'), QUEUE)
  const file = { file: QUEUE.file, text: text('complete', 'Do something else') }
  const taken = withoutStatus(knownFormat('work-queue'), file, { entries, part: null })
  assert.deepEqual(taken, { ok: true, value: text('pending', 'Do something else') })
})
