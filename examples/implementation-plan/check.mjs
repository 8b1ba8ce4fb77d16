// node check.mjs [PART…]: whether the project does what it should, or only these parts of it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

const parts = {
  async celsius() {
    const { toCelsius } = await import('./src/celsius.mjs')
    assert.equal(toCelsius(212), 100)
  },
  async fahrenheit() {
    const { toFahrenheit } = await import('./src/fahrenheit.mjs')
    assert.equal(toFahrenheit(100), 212)
  },
  async index() {
    const both = await import('./src/index.mjs')
    assert.deepEqual(Object.keys(both), ['toCelsius', 'toFahrenheit'])
  },
  async read() {
    const { read } = await import('./src/read.mjs')
    assert.equal(read('36.6 degrees'), 36.6)
  },
  async show() {
    const { show } = await import('./src/show.mjs')
    assert.equal(show(36.6, 'C'), '36.6 °C')
  },
  async cli() {
    const said = execFileSync(process.execPath, ['src/cli.mjs', '100', 'C'], { encoding: 'utf8' })
    assert.equal(said, '212.0 °F\n')
  },
}

const named = process.argv.slice(2)
for (const part of named.length > 0 ? named : Object.keys(parts)) await parts[part]()
