import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptContext } from '../../src/attempt/attempt-context.ts'
import { workFailure } from '../../src/attempt/inspect-work.ts'
import { NO_DIFF } from '../../src/git/trees/tree-changes.ts'

function completionFailure(completion: string | undefined, said: string | null) {
  const context = { order: { task: { completion }, settings: { claims: 'warn' } } } as unknown as AttemptContext
  const work = { ok: true as const, commit: 'c'.repeat(40), tree: '', ...NO_DIFF, agentCommits: 1 }
  const result = { failure: null, usage: null, summary: null, final: said, session: null, limited: null }
  return workFailure(context, result, work)
}

test('the words of a promise count wherever they stand in the last message, and only there', () => {
  assert.equal(completionFailure('DONE', 'All is well.\nDONE.'), null)
  assert.equal(completionFailure(undefined, null), null)
  const incomplete = { reason: 'incomplete', message: 'its agent ended without having said `DONE`' }
  for (const said of [null, '', 'done']) assert.deepEqual(completionFailure('DONE', said), incomplete)
})
