// What a plan file is told about a task.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusFacts } from '../../../src/engine/plan-file/status-of-task.ts'
import { attemptOf, taskOf } from '../../reports/sample.ts'

const diff = { files: 2, insertions: 10, deletions: 1 }

for (const [status, attempt, expected] of [
  ['landed', { summary: 'wrote the tests\nand more', diff }, 'wrote the tests'],
  ['landed', { diff }, 'Landed as 4f1d2c0b9a8e: 2 files, +10 -1'],
  ['landed', { diff: { ...diff, files: 1 } }, 'Landed as 4f1d2c0b9a8e: 1 file, +10 -1'],
  ['landed', {}, 'Landed as 4f1d2c0b9a8e'],
  ['passed', { outcome: 'no-change', diff: null }, 'Nothing was changed'],
  ['passed', { diff }, 'Not meant to land: 2 files, +10 -1'],
] as const)
  test(`what came of a task that ${status}, by the word of its agent or else by git: ${expected}`, () => {
    const landedCommit = status === 'landed' ? '4f1d2c0b9a8e7d6c5b4a39281706f5e4d3c2b1a0' : null
    assert.equal(
      statusFacts(taskOf({ id: 'a', status, history: [attemptOf(attempt)], landedCommit }))?.output,
      expected,
    )
  })

test('a program without a conversation has no session, and what has not begun says nothing', () => {
  assert.equal(statusFacts(taskOf({ id: 'a', history: [{}] }))?.session, null)
  assert.equal(statusFacts(taskOf({ id: 'a', status: 'ready' })), null)
  assert.equal(statusFacts(taskOf({ id: 'a', status: 'ready' }), true)?.phase, 'open', 'unless its end stands there')
})
