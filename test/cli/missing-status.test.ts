import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingHints } from '../../src/cli/missing-status.ts'
import { problem } from '../../src/problem.ts'
import { makeRepository } from '../rig/repository.ts'

test('a file that no status can be written into is said before it is run', async () => {
  await using repository = await makeRepository()
  const unreadable = [problem('how its tasks stand cannot be written', { file: '001.md', severity: 'warning' })]
  const hints = await missingHints({ repo: repository.top }, { format: 'ccpm', part: null, files: [], unreadable })
  assert.deepEqual(hints, unreadable)
})
