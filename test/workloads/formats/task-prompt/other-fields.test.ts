import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingOf, otherFields } from '../../../../src/workloads/formats/prompt-from-fields.ts'

const NONE: ReadonlySet<string> = new Set()

test('whatever is made of texts is told, under its name in words', () => {
  const scope = { included: 'pages', excluded: ['mail'] }
  const value = { technicalConstraints: ' No cookies ', 'test-plan': ['a', 'b'], scope }
  const sections = otherFields(value, NONE).map(({ name, text }) => [headingOf(name), text])
  assert.deepEqual(sections, [
    ['Technical constraints', 'No cookies'],
    ['Test plan', '- a\n- b'],
    ['Scope', 'included: pages\nexcluded:\n  - mail'],
  ])
})

test('what is known, is no text, or is kept by a program for itself is not', () => {
  const value = {
    ...{ known: 'x', weight: 5, isBig: true, nothing: null, empty: '', none: [], mixed: ['a', 1], inner: { a: 1 } },
    ...{ lastSeenAt: 'now', updated_by: 'ada', content_hash: 'ab', parentId: 'x' },
    ...{ __: 'x', branch: 'main', errors: ['no'], dependsOn: ['a'], priority: 'high', estimated_effort: '2h' },
  }
  assert.deepEqual(otherFields(value, new Set(['known'])), [])
})

test('they have a limit', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`field ${i}x`, 'words']))
  assert.equal(otherFields(many, NONE).length, 50)
  assert.match(
    otherFields({ a: 'x'.repeat(1_000_000) }, NONE)[0]?.text ?? '',
    /^x{20000}\n\(cut: the rest is in the plan\)$/,
  )
})
