// node check.mjs [PART…]: whether the project does what it should, or only these parts of it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const parts = {
  async money() {
    const { money } = await import('./src/money.mjs')
    assert.equal(money(425), '4.25')
  },
  async order() {
    const { byPrice } = await import('./src/by-price.mjs')
    assert.deepEqual(byPrice([{ cents: 2 }, { cents: 1 }]), [{ cents: 1 }, { cents: 2 }])
  },
  async list() {
    assert.equal(readFileSync('LIST.txt', 'utf8'), 'Rooibos   4.25\nSencha    6.50\nOolong    8.90\n')
  },
}

const named = process.argv.slice(2)
for (const part of named.length > 0 ? named : Object.keys(parts)) await parts[part]()
