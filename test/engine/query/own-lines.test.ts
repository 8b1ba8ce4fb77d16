import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownLines, type Part } from '../../../src/engine/query/attempt-output.ts'

const SHAPES: [string, (string | { heading: string })[], string][] = [
  ['after a whole line', ['all\n', { heading: 'end' }], 'all\n── end ──\n'],
  ['after half a line', ['ha', 'lf', { heading: 'end' }], 'half\n── end ──\n'],
  ['after nothing', [{ heading: 'end' }], '── end ──\n'],
  ['after an empty piece', ['half', '', { heading: 'end' }], 'half\n── end ──\n'],
  ['after another', ['half', { heading: 'verify-1' }, { heading: 'end' }], 'half\n── verify-1 ──\n── end ──\n'],
  ['nowhere: output stays as it was', ['half'], 'half'],
]

for (const [name, parts, expected] of SHAPES)
  test(`a heading ${name}`, async () => {
    async function* given(): AsyncGenerator<Part> {
      for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part
    }
    let text = ''
    for await (const piece of ownLines(given())) text += piece.toString('utf8')
    assert.equal(text, expected)
  })
