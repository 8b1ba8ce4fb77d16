import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksOf } from '../../src/learning/task-features.ts'
import { taskOf } from './sample.ts'

function wordsOf(prompt: string, title = 'do it') {
  return looksOf(taskOf(prompt, { title, claims: { write: ['src/invoices/'], read: [] } })).words
}

test('the longer words first, without those that are everywhere', () => {
  assert.deepEqual(wordsOf('Round refunds of invoices to cents, in every file.'), [
    'invoices',
    'refunds',
    'cents',
    'round',
  ])
})

test('secrets are not among them, nor what is left of them', () => {
  const token = ['gh', 'p_', '16C7e42F292c6912E7710c838347Ae178B4a'].join('')
  const password = ['horse', 'battery'].join('')
  const words = wordsOf(`Fetch refunds with ${token}, then DB_PASSWORD=${password} npm test`)
  assert.deepEqual(words, ['invoices', 'password', 'refunds', 'fetch', 'test'])
})

test('words that nobody writes are left out; long ones that somebody does are not', () => {
  const [random, named] = ['a1b2c3d4e5f6a7b8c9d0e1f2', 'internationalizationhelper']
  assert.deepEqual(wordsOf(`Look at ${random} and ${named} and utf8mb4`).includes(random), false)
  assert.ok(wordsOf(`Look at ${named}`).includes(named))
  assert.ok(wordsOf('Use utf8mb4').includes('utf8mb4'))
})
