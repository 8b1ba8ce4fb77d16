import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitFailure, notesOf, stopped, withNotes } from '../../src/attempt/exit-failures.ts'
import { LIMITS } from '../../src/config.ts'

const nothing = { survivors: [], outputLost: false }

test('processes that outlived SIGKILL are named, in the failure or else in the summary', () => {
  const notes = notesOf({ ...nothing, survivors: [12, 34] })
  const failure = { reason: 'timeout' as const, message: 'x'.repeat(LIMITS.messageChars * 2) }
  assert.match(withNotes({ failure, summary: 'half' }, notes).failure?.message ?? '', /… \(processes 12, 34 outlived/)
  assert.deepEqual(withNotes({ failure: null, summary: 'done' }, notesOf({ ...nothing, survivors: [12] })), {
    failure: null,
    summary: 'done (process 12 outlived SIGKILL and may still write to the worktree)',
  })
})

test('a note stands in the line that says what happened, above what the command printed', () => {
  const failure = { reason: 'agent-failed' as const, message: 'exited with status 2:\none\ntwo' }
  const notes = notesOf({ ...nothing, outputLost: true })
  assert.match(
    withNotes({ failure, summary: null }, notes).failure?.message ?? '',
    /^exited .* 2 \(a part .*\):\none\ntwo$/,
  )
})

test('where there is nothing to say, nothing is added, and a long failure is cut', () => {
  const paths = Array.from({ length: LIMITS.failurePaths + 1 }, (_, n) => `${n}`)
  const failure = { reason: 'verify-failed' as const, message: 'y'.repeat(LIMITS.messageChars + 1), paths }
  const end = withNotes({ failure, summary: null }, notesOf(nothing))
  assert.equal(end.failure?.message, `${'y'.repeat(LIMITS.messageChars)}…`)
  assert.equal(end.failure?.paths?.length, LIMITS.failurePaths)
  assert.equal(end.summary, null)
})

test('an exit that nobody could note is a crash, unless the engine has ended it while it waited for its provider', () => {
  const lost = { kind: 'lost' as const, endedAt: 0, leftovers: 0, ...nothing }
  assert.equal(exitFailure(lost)?.reason, 'supervisor-lost')
  assert.equal(exitFailure(lost, true), null)
  assert.equal(exitFailure({ ...lost, kind: 'spawn-failed', message: 'no such file' }, true)?.reason, 'spawn-failed')
})

test('who is ended for its timeout is told how long that was', () => {
  const { reason, message } = stopped('timeout', { timeoutMs: 90_000 })
  assert.equal(reason, 'timeout')
  assert.match(message, /^it ran longer than its timeout, 1m 30s; give it more with `--timeout`/)
})
