// What a plan file is told about a task.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statusFacts } from '../../../src/engine/plan-file/status-of-task.ts'
import { attemptOf, taskOf } from '../../reports/sample.ts'

const DIFF = { files: 2, insertions: 10, deletions: 1 }
const COMMIT = '4f1d2c0b9a8e7d6c5b4a39281706f5e4d3c2b1a0'

test('what came of it is the word of its agent, and where that said nothing what git says', () => {
  const outputs = (
    [
      ['landed', { summary: 'wrote the tests\nand more', diff: DIFF }, 'wrote the tests'],
      ['landed', { diff: DIFF }, 'Landed as 4f1d2c0b9a8e: 2 files, +10 -1'],
      ['landed', { diff: { ...DIFF, files: 1 } }, 'Landed as 4f1d2c0b9a8e: 1 file, +10 -1'],
      ['landed', {}, 'Landed as 4f1d2c0b9a8e'],
      ['passed', { outcome: 'no-change', diff: null }, 'Nothing was changed'],
      ['passed', { diff: DIFF }, 'Not meant to land: 2 files, +10 -1'],
    ] as const
  ).map(([status, attempt, expected]) => {
    const history = [attemptOf(attempt)]
    const task = taskOf({ id: 'a', status, history, landedCommit: status === 'landed' ? COMMIT : null })
    return [statusFacts(task)?.output, expected]
  })
  for (const [output, expected] of outputs) assert.equal(output, expected)
})

test('a program without a conversation has no session, and what has not begun says nothing', () => {
  assert.equal(statusFacts(taskOf({ id: 'a', history: [{}] }))?.session, null)
  assert.equal(statusFacts(taskOf({ id: 'a', status: 'ready' })), null)
  assert.equal(statusFacts(taskOf({ id: 'a', status: 'ready' }), true)?.phase, 'open', 'unless its end stands there')
})
