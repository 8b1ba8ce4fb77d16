// node check.mjs: whether the project does what it should.
import assert from 'node:assert/strict'
import { convert } from './src/convert.mjs'
import { inUnit } from './src/recipe.mjs'

assert.equal(convert(2, 'cup', 'spoon'), 32)
assert.deepEqual(inUnit(['1 l milk', '2 spoon oat flour'], 'ml'), ['1000 ml milk', '30 ml oat flour'])
