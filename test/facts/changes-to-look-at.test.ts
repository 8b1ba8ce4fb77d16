import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathsText, undeclaredFacts } from '../../src/facts/changes-to-look-at.ts'
import type { AttemptView } from '../../src/view.ts'
import { taskOf } from '../reports/sample.ts'

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

test('paths in words', () => {
  assert.equal(pathsText(list('a', 'b')), 'a, b')
  assert.equal(pathsText(list('a', 'b', 'c', 'd', 'e', 'f')), 'a, b, c, d, e and more (6 paths)')
  assert.equal(pathsText({ paths: ['gen/'], count: 5_000 }), 'gen/ (5000 paths)')
})
