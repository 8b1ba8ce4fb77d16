// node check.mjs [PART…]: whether the project does what it should, or only these parts of it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { random } from './src/random.mjs'

const parts = {
  async random() {
    assert.equal(random(7)(), random(7)())
  },
  async roll() {
    const { roll } = await import('./src/roll.mjs')
    const next = random(7)
    const sides = new Set(Array.from({ length: 200 }, () => roll(next, 6)))
    assert.deepEqual([...sides].sort(), [1, 2, 3, 4, 5, 6])
  },
  async rolls() {
    const { rolls } = await import('./src/rolls.mjs')
    assert.equal(rolls(random(7), 3, 6).length, 3)
  },
  async notation() {
    const { notation } = await import('./src/notation.mjs')
    assert.deepEqual(notation('3d6'), [3, 6])
  },
  async throw() {
    const said = execFileSync(process.execPath, ['src/throw.mjs', '3d6', '7'], { encoding: 'utf8' })
    assert.match(said, /^[1-6] [1-6] [1-6]\n$/)
  },
}

const named = process.argv.slice(2)
for (const part of named.length > 0 ? named : Object.keys(parts)) await parts[part]()
