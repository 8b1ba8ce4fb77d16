// node check.mjs: whether the project does what it should.
import assert from 'node:assert/strict'
import { count } from './src/count.mjs'
import { ranked } from './src/ranked.mjs'
import { report } from './src/report.mjs'

assert.equal(report(ranked(count('The milk, the tea, and more tea'))), '2 tea\n1 milk\n1 more')
