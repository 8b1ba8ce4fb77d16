import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionFailure } from '../../src/attempt/inspect-work.ts'

test('the words of a promise count wherever they stand in the last message, and only there', () => {
  assert.equal(completionFailure('DONE', 'All is well.\nDONE.'), null)
  assert.equal(completionFailure(null, null), null)
  const incomplete = { reason: 'incomplete', message: 'its agent ended without having said `DONE`' }
  for (const said of [null, '', 'done']) assert.deepEqual(completionFailure('DONE', said), incomplete)
})
