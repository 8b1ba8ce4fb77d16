import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landedText } from '../../src/cli/landed-text.ts'
import { HEAD, sampleRun, sampleTask } from './sample-run.ts'

const landed = { run: 'shop-1', into: 'main', commit: HEAD, how: 'fast-forward' } as const

test('all of a run, where all of it landed or had nothing to land', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'passed')])
  assert.equal(landedText(landed, view), 'main now stands at a1b2c3d4, with all of run shop-1')
  assert.equal(landedText({ ...landed, how: 'up-to-date' }, view), 'main already has all of run shop-1')
})

test('a part of a run is called a part, and what is missing is named', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'failed'), sampleTask('c', 'blocked')])
  assert.equal(
    landedText(landed, view),
    'main now stands at a1b2c3d4, with the 1 of 3 tasks of run shop-1 that landed\nnot in it: b (failed), c (blocked)',
  )
  assert.match(
    landedText({ ...landed, how: 'merge' }, view),
    /^merged the 1 of 3 tasks of run shop-1 that landed into main as a1b2c3d4\n/,
  )
})

test('of hundreds that are missing the first ones are named', () => {
  const view = sampleRun(Array.from({ length: 300 }, (_, i) => sampleTask(`t${i}`, i === 0 ? 'landed' : 'failed')))
  assert.match(landedText(landed, view), /t12 \(failed\), … 287 more$/)
})
