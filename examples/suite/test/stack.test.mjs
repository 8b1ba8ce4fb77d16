import assert from 'node:assert/strict'
import { test } from 'node:test'

test('what was pushed last is popped first', () => {
  const stack = [1, 2]
  assert.equal(stack.pop(), 2)
})
