// node check.mjs: whether the project does what it should.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'

const found = (wanted) => execFileSync(process.execPath, ['src/cli.mjs', wanted], { encoding: 'utf8' })
assert.equal(found('#tea'), 'https://tea.example\nhttps://milk.example\n')
assert.equal(found('about'), 'https://tea.example\n')
