import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksOf } from '../../src/learning/task-features.ts'
import { taskOf } from './sample.ts'

const CASES: [prompt: string, write: string[], domain: string][] = [
  ['Add a migration for the orders table', [], 'database'],
  ['Rename it', ['db/orders.sql'], 'database'],
  ['Add an endpoint that returns the balance', ['src/api/balance.ts'], 'api'],
  ['Make the button of the form blue', [], 'frontend'],
  ['Write tests for the parser', ['test/parser.test.ts'], 'testing'],
  ['Let a login expire after a day', ['src/auth/session.ts'], 'security'],
  ['Build the container in the pipeline', ['.github/workflows/ci.yml'], 'deployment'],
  ['Say hello', ['src/hello.ts'], 'general'],
  // What is only mentioned counts less than where the work is done.
  ['Show the login in the list', ['web/components/list.tsx'], 'frontend'],
]

for (const [prompt, write, domain] of CASES)
  test(`${domain}: ${prompt}`, () => {
    assert.equal(looksOf(taskOf(prompt, { claims: { write, read: [] } })).domain, domain)
  })

test('a tag decides', () => {
  assert.equal(looksOf(taskOf('Add a refund to the invoice form', { tags: ['Database'] })).domain, 'database')
})

test('a word inside another word does not count', () => {
  assert.equal(looksOf(taskOf('Describe the capital and the rapid contest')).domain, 'general')
})

test('complexity stays between 0 and 1, whatever the words', () => {
  for (const prompt of ['', 'typo '.repeat(5000), 'refactor concurrency '.repeat(5000), '- must\n'.repeat(9000)]) {
    const value = looksOf(taskOf(prompt)).complexity
    assert.ok(value >= 0 && value <= 1, `${value}`)
  }
})

test('what looks harder has a higher complexity', () => {
  const score = (prompt: string, write: string[] = []) =>
    looksOf(taskOf(prompt, { claims: { write, read: [] } })).complexity
  const easy = score('Fix a typo in the README', ['README.md'])
  const usual = score('Add an endpoint for orders', ['src/api/orders.ts'])
  const hard = score(
    'Refactor the transaction protocol: it must recover after a crash, never deadlock and keep its invariants.',
    ['src/store/**', 'src/auth/**'],
  )
  assert.ok(easy < usual && usual < hard, `${easy} ${usual} ${hard}`)
})
