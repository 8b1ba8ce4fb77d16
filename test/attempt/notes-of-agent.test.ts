import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockedFailure, doneText } from '../../src/attempt/inspect-work.ts'
import type { NoteKind } from '../../src/status.ts'
import type { Note } from '../../src/view.ts'

function notes(...told: [kind: NoteKind, text: string][]): Note[] {
  return told.map(([kind, text]) => ({ kind, text, at: 1 }))
}

test('whether it is blocked is what it said last about how it stands', () => {
  assert.equal(blockedFailure(notes(['progress', 'x'])), null)
  assert.equal(blockedFailure(notes(['blocked', 'no key'], ['progress', 'found it'])), null)
  const failure = blockedFailure(notes(['progress', 'x'], ['blocked', 'no key'], ['issue', 'y']))
  assert.equal(failure?.reason, 'agent-blocked')
  assert.match(failure.message, /cannot continue: no key$/)
})

test('what it did is what it said last when it was done', () => {
  assert.equal(doneText(notes(['progress', 'x'])), null)
  assert.equal(doneText(notes(['done', 'a'], ['done', 'b'], ['follow-up', 'c'])), 'b')
})
