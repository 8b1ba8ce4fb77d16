import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writtenText } from '../../../src/cli/commands/resume.ts'
import type { RunSummary } from '../../../src/view.ts'

test('what resume has written is told without what it has left to others', () => {
  const counts = { total: 3 } as RunSummary['counts']
  const leaving = (...tasks: string[]) => {
    return writtenText({ conflicts: tasks.map((task) => ({ file: 'plan.json', task, message: '…' })) }, { counts })
  }
  assert.equal(leaving(), 'its task statuses are in the plan file now')
  assert.equal(leaving('1.1', '1.2'), 'its task statuses are in the plan file now, apart from 1.1, 1.2')
  assert.equal(leaving('1.1', '1.2', '2'), 'no task status was left to write into the plan file')
})
