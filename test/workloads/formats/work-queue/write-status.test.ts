// The status of a feature is written into the field that the file has for it, in the words of the file.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StatusPhase } from '../../../../src/workloads/formats/write-back/status-writer.ts'
import { written } from '../status/written.ts'

const QUEUE = { file: 'feature_list.json', format: 'work-queue' }

describe('work queues', () => {
  const file = (fields: string, top = '') => `{${top}"features": [{"id": "A", "description": "a"${fields}}]}`
  const valid = '"rules": {"valid_status": ["pending", "spec_ready", "in_progress", "done"]}, '
  const cases: [before: string, phase: StatusPhase, from: string, to: string][] = [
    [file(', "status": "pending"', valid), 'begun', '"status": "pending"', '"status": "in_progress"'],
    [file(', "status": "pending"', valid), 'done', '"status": "pending"', '"status": "done"'],
    // It has no word for what failed or is blocked.
    [file(', "status": "in_progress"', valid), 'failed', '"status": "in_progress"', '"status": "pending"'],
    [file(', "status": "in_progress"', valid), 'blocked', '"status": "in_progress"', '"status": "pending"'],
    [file(', "state": "not_started"'), 'begun', '"not_started"', '"in_progress"'],
    [file(', "state": "not_started"'), 'done', '"not_started"', '"passing"'],
    [file(', "passes": false'), 'begun', 'false', 'false'],
    [file(', "passes": false'), 'done', 'false', 'true'],
    [file(', "passes": false'), 'failed', 'false', 'false'],
    // No word of it is known to mean that it is done, and another its own program would refuse.
    [file(', "state": "todo"', '"valid_status": ["todo", "doing", "shipped"], '), 'done', 'todo', 'todo'],
    [file(''), 'done', '"A", ', '"A", "status": "complete", '],
  ]
  for (const [before, phase, from, to] of cases)
    test(`${before} ${phase}`, () => {
      const { text, conflicts } = written(before, { A: phase }, QUEUE)
      assert.equal(text, before.replace(from, to))
      assert.deepEqual(conflicts, [])
      assert.equal(written(before, { A: phase }, { ...QUEUE, now: text }).text, text, 'and again')
    })

  test('the words of other features count where none are listed', () => {
    const features =
      '{"id": "A", "description": "a", "state": "todo"}, {"id": "B", "description": "b", "state": "passed"}'
    const before = `{"features": [${features}]}`
    assert.equal(written(before, { A: 'done' }, QUEUE).text, before.replace('"todo"', '"passed"'))
  })

  test("somebody's word stays", () => {
    const before = file(', "state": "not_started"')
    const now = before.replace('not_started', 'blocked')
    const { text, conflicts } = written(before, { A: 'done' }, { ...QUEUE, now })
    assert.equal(text, now)
    assert.deepEqual(conflicts, [{ source: 'A', phase: 'done', why: 'another-status', status: 'blocked' }])
  })
})
