import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingHints, writtenText } from '../../../src/cli/hints/missing-status.ts'
import { problem } from '../../../src/problem.ts'
import type { RunSummary } from '../../../src/status.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

test('a file that no status can be written into is said before it is run', async () => {
  await using repository = await makeRepository()
  const unreadable = [problem('how its tasks stand cannot be written', { file: '001.md', severity: 'warning' })]
  const hints = await missingHints(await workspaceAt(repository.top), {
    format: 'ccpm',
    part: null,
    files: [],
    unreadable,
  })
  assert.deepEqual(hints, unreadable)
})

test('what resume has written is told without what it has left to others', () => {
  const counts = { total: 3 } as RunSummary['counts']
  const leaving = (...tasks: string[]) => {
    return writtenText({ conflicts: tasks.map((task) => ({ file: 'plan.json', task, message: '…' })) }, { counts })
  }
  assert.equal(leaving(), 'its task statuses are in the plan file now')
  assert.equal(leaving('1.1', '1.2'), 'its task statuses are in the plan file now, apart from 1.1, 1.2')
  assert.equal(leaving('1.1', '1.2', '2'), 'no task status was left to write into the plan file')
})
