// However a block changes and whatever scrolls up above it, the screen shows the last block below all that scrolled up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { lineChange } from '../../../src/cli/terminal/line-change.ts'
import { movedLines } from '../../../src/cli/terminal/moved-lines.ts'
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

test('a list from which tasks went moves up', () => {
  const rows = (...names: string[]) => names.map((name) => `● ${name}  1/2   12s  says ${name}`)
  const { moves, lines } = movedLines(rows('a', 'b', 'c', 'd'), rows('a', 'c', 'd', 'e'))
  assert.deepEqual(moves, [{ from: 1, to: 3 }])
  assert.deepEqual(lines, [...rows('a', 'c', 'd'), ''])
  assert.deepEqual(movedLines(rows('a', 'b'), rows('x', 'y')).moves, [])
})

test('of a line only what differs is written', () => {
  assert.equal(lineChange('● api  12s  reads', '● api  13s  reads'), '\x1b[9G3')
  assert.equal(lineChange('api  reads', 'api  writes'), '\x1b[6Gwrites\x1b[K')
  const [before, after] = [`a ${colours.dim('reads x')}`, `a ${colours.dim('reads y')}`]
  assert.equal(lineChange(before, after), '\x1b[9G\x1b[2my\x1b[22m\x1b[K')
  assert.equal(lineChange('模块 a', '模块 b'), '\x1b[6Gb\x1b[K', 'wide signs take two columns')
  assert.equal(lineChange('a e', 'a e\u0301'), '\x1b[3Ge\u0301\x1b[K', 'a sign is not taken apart')
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
const COLOUR = /\x1b\[\d*m/g

function bare(text: string): string {
  return text.replace(COLOUR, '')
}
