// node check.mjs: whether the project does what it should.
import assert from 'node:assert/strict'
import { dashed } from './src/case.mjs'
import { count } from './src/count.mjs'
import { shorten, titled } from './src/headline.mjs'

assert.equal(count('green  tea'), 2)
assert.equal(dashed('Green Tea'), 'green-tea')
assert.equal(titled('green tea'), 'Green Tea')
assert.equal(shorten('green tea', 6), 'green…')
