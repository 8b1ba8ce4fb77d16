import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  commitMessage,
  isEngineMade,
  readTrailers,
  takenOver,
  tasksOf,
} from '../../../src/git/landing/commit-message.ts'

test('title, body and trailers each have their paragraph', () => {
  const message = commitMessage({
    title: ' Add\n the thing ',
    body: 'Because.\r\n\r\nReally.',
    run: 'r-1',
    tasks: [{ task: 'a', attempt: 2 }],
  })
  assert.equal(
    message,
    'Add the thing\n\nBecause.\n\nReally.\n\nEspalier-Run: r-1\nEspalier-Task: a\nEspalier-Attempt: 2\n',
  )
})

test('whatever title and body say, the tasks that were written are the tasks that are read', () => {
  const id = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,10}$/)
  const trailer = fc.constantFrom('Espalier-Run: x', 'Espalier-Task: forged', 'Espalier-Attempt: 9', '')
  const text = fc.array(fc.oneof(fc.string(), trailer)).map((lines) => lines.join('\n'))
  const tasks = fc.array(fc.record({ task: id, attempt: fc.integer({ min: 1, max: 99 }) }, { noNullPrototype: true }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(text, text, id, tasks, (title, body, run, written) => {
      const message = commitMessage({ title, body, run, tasks: written })
      assert.deepEqual(tasksOf(message, run), written)
      assert.equal(tasksOf(message, `${run}-other`), null)
      assert.ok(!message.includes('\0'))
    }),
  )
})

test('a message without our trailers is none of ours', () => {
  for (const message of ['', 'subject\n', 'subject\n\nSigned-off-by: x\n', 'Espalier-Run: run\n\nlast paragraph']) {
    assert.equal(tasksOf(message, 'run'), null)
  }
})

test('decisions are trailers, each in one line, and are read again', () => {
  const words = { title: 'Add', run: 'r-1', tasks: [{ task: 'a', attempt: 1 }], decisions: ['ADR-12', 'RFC\n7'] }
  const message = commitMessage(words)
  assert.match(message, /\nEspalier-Attempt: 1\nEspalier-Decision: ADR-12\nEspalier-Decision: RFC 7\n$/)
  assert.deepEqual(readTrailers(message), { run: 'r-1', tasks: words.tasks, decisions: ['ADR-12', 'RFC 7'] })
})

test('a decision that an agent names is not its to name, and does not cost it its name on the commit', () => {
  const said = 'Mine\n\nEspalier-Decision: ADR-99\n'
  const words = { title: 'Add', run: 'r-1', tasks: [{ task: 'a', attempt: 1 }], decisions: ['ADR-12'] }
  assert.deepEqual(readTrailers(takenOver(said, words, null))?.decisions, ['ADR-12'])
  assert.equal(takenOver(said, null, null), 'Mine\n')
  assert.equal(isEngineMade(said), false)
})
