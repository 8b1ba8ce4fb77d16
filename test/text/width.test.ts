import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { safeLine } from '../../src/text/safe.ts'
import { displayWidth, fit, fitMiddle, padEnd, padStart, wrap } from '../../src/text/width.ts'

const widths: [text: string, width: number][] = [
  ['', 0],
  ['schema', 6],
  ['naïve', 5],
  ['e\u0301', 1],
  ['日本', 4],
  ['🚀 go', 5],
  ['👩‍💻', 2],
  ['\x1b[31mred\x1b[39m', 3],
  ['✓ ● ━', 5],
  ['1️⃣ ❤️', 5],
  ['ｆｕｌｌ', 8],
  ['naïve — “quoted” ×…', 19],
]
for (const [text, width] of widths) {
  test(`${JSON.stringify(text)} takes ${width} columns`, () => assert.equal(displayWidth(text), width))
}

test('what is taken for narrow is so', () => {
  for (let code = 0x20; code < 0x3000; code++) {
    const character = String.fromCodePoint(code)
    assert.equal(displayWidth(character), stringWidth(character), `U+${code.toString(16)}`)
  }
})

const cuts: [text: string, columns: number, cut: string][] = [
  ['schema', 6, 'schema'],
  ['schema', 5, 'sche…'],
  ['schema', 1, '…'],
  ['schema', 0, ''],
  ['schema', -3, ''],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
]
for (const [text, columns, cut] of cuts) {
  test(`${text} in ${columns} columns is ${JSON.stringify(cut)}`, () => assert.equal(fit(text, columns), cut))
}

const middleCuts: [text: string, columns: number, cut: string][] = [
  ['schema-one', 10, 'schema-one'],
  ['schema-one', 7, 'sch…one'],
  ['schema-one', 6, 'sch…ne'],
  ['schema-one', 2, 's…'],
  ['schema-one', 1, '…'],
  ['schema-one', 0, ''],
  ['日本語日本語', 8, '日本…語'],
]
for (const [text, columns, cut] of middleCuts) {
  test(`start and end of ${text} in ${columns} columns are ${JSON.stringify(cut)}`, () =>
    assert.equal(fitMiddle(text, columns), cut))
}

test('what was fitted is never wider than asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, columns) => {
      assert.ok(displayWidth(fit(safeLine(text), columns)) <= columns)
      assert.ok(displayWidth(fitMiddle(safeLine(text), columns)) <= columns)
    }),
  )
})

test('padding counts columns, not characters', () => {
  assert.equal(padEnd('日本', 6), '日本  ')
  assert.equal(padStart('\x1b[1mx\x1b[22m', 3), '  \x1b[1mx\x1b[22m')
  assert.equal(padEnd('long', 2), 'long')
})

const wraps: [text: string, columns: number, lines: string[]][] = [
  ['fits', 4, ['fits']],
  ['two words', 8, ['two', 'words']],
  ['a b c d', 3, ['a b', 'c d']],
  ['unbreakable', 4, ['unbr', 'eaka', 'ble']],
  ['日本語', 4, ['日本', '語']],
  ['日本', 1, ['日', '本']],
  ['no end', Number.POSITIVE_INFINITY, ['no end']],
]
for (const [text, columns, lines] of wraps) {
  test(`${text} is broken at ${columns} columns into ${lines.length}`, () =>
    assert.deepEqual(wrap(text, columns), lines))
}

test('what was broken is never wider than asked, and nothing but spaces is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, columns) => {
      const lines = wrap(safeLine(text), columns)
      // A single character cannot be broken, and some take three columns.
      for (const line of lines)
        assert.ok(displayWidth(line) <= columns || [...new Intl.Segmenter().segment(line)].length === 1)
      assert.equal(lines.join('').normalize().replaceAll(' ', ''), safeLine(text).normalize().replaceAll(' ', ''))
    }),
  )
})
