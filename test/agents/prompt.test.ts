import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildPrompt } from '../../src/agents/prompt.ts'

const failure = {
  reason: 'verify-failed' as const,
  message: '`npm test` exited with status 1',
  paths: ['a.ts', 'b.ts'],
}
const earlier = { attempt: 2, failure, outputTail: 'one\ntwo\n' }

test('alone, the task has the word', () => {
  assert.equal(buildPrompt('Do it.', null), 'Do it.\n')
})

test('after a failure: the reason, the paths, the end of the output', () => {
  const said = buildPrompt('Do it.\n', earlier)
  assert.match(
    said,
    /^Do it\.\n\n## An earlier attempt failed\n\nAttempt 2 did not succeed \(verify-failed\): `npm test`/,
  )
  assert.match(said, /- a\.ts\n- b\.ts\n[\s\S]*\n {4}one\n {4}two\n[\s\S]*from the newest state of the branch/)
})

test('in a conflict: what it is and which files; then what went wrong with the last try at it', () => {
  const said = buildPrompt('Do it.', earlier, ['src/x.ts'])
  assert.match(said, /^Do it\.\n\n## Resolve the conflict[\s\S]*\n- src\/x\.ts\n[\s\S]*## An earlier attempt failed/)
  assert.match(said, /You start again from the conflict/)
})
