import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildFollowUp, completionFailure, completionRequest } from '../../src/agents/follow-up.ts'

const FAILED = { reason: 'verify-failed', message: '`npm test` exited with status 1:\nnot ok 3' } as const
const INCOMPLETE = { reason: 'incomplete', message: 'its agent ended without having said `DONE`' } as const

test('one that remembers is told the command and the end of its output, and nothing else', () => {
  const text = buildFollowUp(FAILED, null, null)
  assert.match(
    text,
    /^## You are not done yet\n\nA command that has to pass does not: `npm test` exited with status 1:\nnot ok 3\n/,
  )
  assert.doesNotMatch(text, /word for word/)
})

test('one that does not remember is told its task first', () => {
  assert.match(buildFollowUp(FAILED, null, 'Write tests.\n'), /^Write tests\.\n\n## You are not done yet\n/)
})

test('one that is to say when it is done is told so every time', () => {
  for (const failure of [FAILED, INCOMPLETE])
    assert.match(buildFollowUp(failure, 'DONE', null), /word for word:\n\n {4}DONE\n$/)
  assert.match(buildFollowUp(INCOMPLETE, 'DONE', null), /you have not said that all is done/)
  assert.equal(completionRequest(null), '')
})

test('the words count wherever they stand in its last message, and only there', () => {
  assert.equal(completionFailure('DONE', 'All is well.\nDONE.'), null)
  assert.equal(completionFailure(null, null), null)
  for (const said of [null, '', 'done']) assert.deepEqual(completionFailure('DONE', said), INCOMPLETE)
})
