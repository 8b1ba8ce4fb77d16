import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, isCheckOf, stepName, workName } from '../../src/workspace/command-folder-name.ts'

test('the folders of an attempt in the order in which their commands ran', () => {
  const ran = [
    'setup-1',
    'setup-10',
    'work',
    'verify-1',
    'verify-2',
    'verify-10',
    'work-2',
    'verify-2.1',
    'verify-2.10',
  ]
  const later = ['work-10', 'verify-10.1']
  const others = ['files', 'worktree', 'works', 'work-x', 'verify-1.2.3', 'prompt-2.md']
  assert.deepEqual(inOrder([...others, ...later, ...ran.toReversed()]), [...ran, ...later])
})

test('the first iteration has the plain names', () => {
  assert.deepEqual([workName(1), workName(2)], ['work', 'work-2'])
  assert.deepEqual([stepName('verify', 2), stepName('verify', 1, 2)], ['verify-2', 'verify-2.1'])
})

test('a check belongs to one iteration', () => {
  assert.ok(isCheckOf('verify-2', 'verify', 1))
  assert.ok(isCheckOf('verify-2.1', 'verify', 2))
  for (const name of ['verify-2', 'verify-3.2', 'work-2', 'setup-2']) assert.ok(!isCheckOf(name, 'verify', 2), name)
})
