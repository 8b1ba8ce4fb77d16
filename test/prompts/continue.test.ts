import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followUpPrompt } from '../../src/prompts/task-prompt.ts'
import { makeTemplates } from './facts.ts'

const FAILED = { reason: 'verify-failed', message: '`npm test` exited with status 1:\nnot ok 3' } as const
const INCOMPLETE = { reason: 'incomplete', message: 'its agent ended without having said `DONE`' } as const

function followUp(
  failure: Parameters<typeof followUpPrompt>[1]['failure'],
  completion: string | null,
  first: string | null,
): string {
  return followUpPrompt(makeTemplates(), { failure, completion, first })
}

test('one that remembers is told the command and the end of its output, and nothing else', () => {
  const text = followUp(FAILED, null, null)
  assert.match(
    text,
    /^## You are not done yet\n\nA command that has to pass does not: `npm test` exited with status 1:\n {4}not ok 3\n/,
  )
  assert.match(text, /before you end\.\n$/)
  assert.doesNotMatch(text, /word for word/)
})

test('one that does not remember is told its task first, as it was', () => {
  assert.match(followUp(FAILED, null, 'Write {{tests}}.\n'), /^Write {{tests}}\.\n\n## You are not done yet\n/)
})

test('one that is to say when it is done is told so every time', () => {
  for (const failure of [FAILED, INCOMPLETE])
    assert.match(followUp(failure, 'DONE', null), /\.\n\nWhen everything is done.* word for word:\n\n {4}DONE\n$/)
  assert.match(followUp(INCOMPLETE, 'DONE', null), /You ended without saying that everything is done/)
})
