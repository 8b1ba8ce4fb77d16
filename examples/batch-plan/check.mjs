// node check.mjs [PART…]: whether the project does what it should, or only these parts of it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

const parts = {
  async write() {
    const { toRoman } = await import('./src/to-roman.mjs')
    assert.equal(toRoman(1987), 'MCMLXXXVII')
  },
  async read() {
    const { fromRoman } = await import('./src/from-roman.mjs')
    assert.equal(fromRoman('MCMLXXXVII'), 1987)
  },
  async both() {
    const { fromRoman } = await import('./src/from-roman.mjs')
    const { toRoman } = await import('./src/to-roman.mjs')
    for (let number = 1; number < 4000; number++) assert.equal(fromRoman(toRoman(number)), number)
  },
  async cli() {
    assert.equal(execFileSync(process.execPath, ['src/cli.mjs', 'XIV'], { encoding: 'utf8' }), '14\n')
  },
}

const named = process.argv.slice(2)
for (const part of named.length > 0 ? named : Object.keys(parts)) await parts[part]()
