import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as safe from '../../src/reports/escape.ts'

const ESC = '\u001b'

test('no text whatever can leave an HTML element or attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = safe.html(text)
      assert.doesNotMatch(written, /[<>"'`]/)
      assert.doesNotMatch(written, /&(?!(?:amp|lt|gt|quot|#39|#96);)/)
    }),
  )
  assert.equal(
    safe.html('</script><img src=x onerror="a()">'),
    '&lt;/script&gt;&lt;img src=x onerror=&quot;a()&quot;&gt;',
  )
})

test('a line is one line within its limit, however long the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 50 }), (text, max) => {
      const short = safe.line(text, max)
      assert.ok(short.length <= max, `${short.length} > ${max}`)
      assert.ok(!short.includes('\n') && short.isWellFormed())
    }),
  )
  assert.equal(safe.line('x'.repeat(10_000_000), 10), 'xxxxxxxxx…')
})

test('the end of a log keeps its last lines and says that it was cut', () => {
  assert.deepEqual(safe.tail('a\nb\nc\n', 2, 100), { text: 'b\nc', cut: true })
  assert.deepEqual(safe.tail('a\nb\n', 2, 100), { text: 'a\nb', cut: false })
  assert.equal(safe.tail('x'.repeat(1_000), 5, 100).text.length, 100)
})

test('Markdown shows text as it is', () => {
  const table: [string, string][] = [
    ['a | b', 'a \\| b'],
    ['[x](javascript:1)', '\\[x\\](javascript:1)'],
    ['<img onerror>', '&lt;img onerror&gt;'],
    ['# no\nheading', '\\# no heading'],
    ['- no list', '\\- no list'],
    ['1. no list', '1\\. no list'],
    ['1.65', '1.65'],
    ['&lt;', '&amp;lt;'],
  ]
  for (const [given, wanted] of table) assert.equal(safe.markdown(given), wanted)
})

test('a code fence is longer than any inside the text', () => {
  assert.equal(safe.markdownBlock('```\nbreak out'), '````text\n```\nbreak out\n````')
  assert.equal(safe.markdownCode('a`b'), '``a`b``')
  assert.equal(safe.markdownCode('`a'), '`` `a ``')
})

test('a Mermaid label holds nothing that Mermaid would read', () => {
  assert.doesNotMatch(safe.mermaid('a"]; click t0 "javascript:x" <b>'), /["<>[\]:]/)
})

test('JSON keeps its values and is safe inside a script and on a terminal', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = safe.json(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
    }),
  )
  const text = safe.json({ a: '</script>\u202e\u009b31m\u001b[0m\u2028' })
  for (const character of ['<', '\u202e', '\u009b', ESC, '\u2028']) assert.ok(!text.includes(character))
})
