// However a block changes and whatever scrolls up above it, the screen shows the last block below all that scrolled up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { Redraw } from '../../../src/cli/terminal/redraw.ts'
import { FakeTerminal } from '../fake-terminal.ts'

const colours = palette(true)
// One column each: the terminal of the tests knows no others.
const words = fc.constantFrom('', 'reads', 'reads a', 'writes é', '12s', '13s', '…', '✓')
const piece = fc.tuple(words, fc.constantFrom('plain', 'good', 'dim', 'strong')).map(([text, how]) => {
  return how === 'plain' ? text : colours[how as 'good' | 'dim' | 'strong'](text)
})
const line = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(' '))
const frames = fc.array(
  fc.record({ block: fc.array(line, { maxLength: 6 }), above: fc.array(line, { maxLength: 2 }) }),
  {
    maxLength: 8,
  },
)

test('any frames, one after the other', () => {
  fc.assert(
    fc.property(frames, (drawn) => {
      const terminal = Object.assign(new FakeTerminal(60), { rows: 24 })
      using redraw = new Redraw(terminal.output)
      const scrolled: string[] = []
      for (const { block, above } of drawn) {
        scrolled.push(...above)
        redraw.draw(block, above)
        const expected = [...scrolled, ...block].map((one) => bare(one).trimEnd())
        while (expected.at(-1) === '') expected.pop()
        assert.deepEqual(terminal.screen, expected)
      }
    }),
    { numRuns: 500, seed: 7 },
  )
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const COLOUR = /\x1b\[\d*m/g

function bare(text: string): string {
  return text.replace(COLOUR, '')
}
