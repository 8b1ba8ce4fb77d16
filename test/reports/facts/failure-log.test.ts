import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureLog } from '../../../src/reports/facts/log-tails.ts'

test('the end of a log is not told twice', () => {
  const log = 'one\n\u001b[31mtwo\u001b[0m\n\n'
  const below = (message: string) => failureLog({ reason: 'agent-failed', message }, log, 10, 100)
  assert.equal(below('exited with status 2:\none\n\u001b[31mtwo\u001b[0m'), '')
  assert.equal(below('exited with status 2'), 'one\ntwo')
  assert.equal(below('`npm test` exited with status 1:\nred'), 'one\ntwo', 'what a check printed is no part of the log')
  assert.equal(failureLog(null, undefined, 10, 100), '')
  const conflict = { reason: 'conflict', message: 'conflicts with the landed work of a in db.sql' } as const
  assert.equal(failureLog(conflict, log, 10, 100), '', 'its agent knew nothing of the merge')
})
