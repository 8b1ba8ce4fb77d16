import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overlapFacts, overlapsNow, pathsText, undeclaredFacts } from '../../src/facts/changes.ts'
import type { AttemptView } from '../../src/status.ts'
import { attemptOf, taskOf } from '../reports/sample.ts'

const list = (...paths: string[]) => ({ paths, count: paths.length })
const violated = { reason: 'claims-violated', message: 'no' } as const
const withHistory = (id: string, ...history: Partial<AttemptView>[]) => taskOf({ id, history })

const tasks = [
  withHistory('early', { undeclared: list('x') }, { undeclared: undefined }),
  withHistory('late', {}, { undeclared: list('package.json', 'z') }),
  withHistory('refused', { undeclared: list('y'), failure: violated }),
]

test('the last attempt of a task counts, and a failure speaks for itself', () => {
  assert.deepEqual(undeclaredFacts({ tasks }), [{ task: 'late', ...list('package.json', 'z') }])
})

test('a pair is told once, with what it met over in all attempts', () => {
  const both = [
    withHistory('a', { overlaps: [{ task: 'b', ...list('x') }] }, { overlaps: [{ task: 'b', ...list('y') }] }),
    withHistory('b', { overlaps: [{ task: 'a', ...list('x') }] }, { overlaps: [{ task: 'a', ...list('y') }] }),
  ]
  assert.deepEqual(overlapFacts({ tasks: both }), [{ tasks: ['a', 'b'], ...list('x', 'y') }])
})

test('only what runs overlaps now', () => {
  const overlaps = [{ task: 'b', ...list('x') }]
  const running = taskOf({ id: 'a', status: 'running', history: [attemptOf({ overlaps })] })
  assert.deepEqual(overlapsNow(running), overlaps)
  assert.deepEqual(overlapsNow({ ...running, status: 'landed' }), [])
})

test('paths in words', () => {
  assert.equal(pathsText(list('a', 'b')), 'a, b')
  assert.equal(pathsText(list('a', 'b', 'c', 'd', 'e', 'f')), 'a, b, c, d, e and more (6 paths)')
  assert.equal(pathsText({ paths: ['gen/'], count: 5_000 }), 'gen/ (5000 paths)')
})
