import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineSplitter } from '../../../src/process/supervise/read-output.ts'

test('lines are the same however the bytes arrive', () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', ' ') })).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(12)), (input, cuts) => {
      const expected = input.split('\n')
      if (expected.at(-1) === '') expected.pop()
      assert.deepEqual(linesOf(pieces(Buffer.from(input), cuts)), expected)
    }),
  )
})

test('a line that is too long is cut at a character, the rest of it skipped', () => {
  const input = Buffer.from('éééé and more\nabc\r\nééx')
  for (const cuts of [[], [1], [5, 1, 1], [13, 2]]) {
    assert.deepEqual(linesOf(pieces(input, cuts), 5), ['éé … [line cut]', 'abc', 'ééx'])
  }
})

function linesOf(chunks: Buffer[], maxBytes?: number): string[] {
  const splitter = lineSplitter(maxBytes)
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]
}

function pieces(bytes: Buffer, lengths: number[]): Buffer[] {
  const result: Buffer[] = []
  let start = 0
  for (const length of lengths) {
    result.push(bytes.subarray(start, start + length))
    start += length
  }
  return [...result, bytes.subarray(start)]
}
