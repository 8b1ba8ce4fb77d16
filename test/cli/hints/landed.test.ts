import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landedText } from '../../../src/cli/hints/landed.ts'
import { HEAD, sampleRun, sampleTask } from '../sample-run.ts'

const landed = { run: 'shop-1', into: 'main', commit: HEAD, how: 'fast-forward', uncommitted: [] as string[] } as const
const NONE = new Map<string, string>()

test('all of a run, where all of it landed or had nothing to land', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'passed')])
  assert.equal(landedText(landed, view, NONE), 'main now stands at a1b2c3d4, with all of run shop-1')
  assert.equal(landedText({ ...landed, how: 'up-to-date' }, view, NONE), 'main already has all of run shop-1')
})

test('a part of a run is called a part, and what is missing is named', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'failed'), sampleTask('c', 'blocked')])
  assert.equal(
    landedText(landed, view, NONE),
    'main now stands at a1b2c3d4, with the 1 of 3 tasks of run shop-1 that landed\nnot in it: b (failed), c (blocked)',
  )
  assert.match(
    landedText({ ...landed, how: 'merge' }, view, NONE),
    /^merged the 1 of 3 tasks of run shop-1 that landed into main as a1b2c3d4\n/,
  )
})

test('what passed with nothing to land is counted, so that it is not taken for lost', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'passed'), sampleTask('c', 'failed')])
  assert.equal(
    landedText(landed, view, NONE),
    'main now stands at a1b2c3d4, with the 1 of 3 tasks of run shop-1 that landed (1 more passed and had nothing to land)\nnot in it: c (failed)',
  )
})

test('a plan file that the run has written into, and nobody has committed, is named', () => {
  const view = sampleRun([sampleTask('a', 'landed')])
  assert.deepEqual(
    landedText({ ...landed, uncommitted: ['tasks.md'] }, view, NONE)
      .split('\n')
      .slice(1),
    ['not committed yet: tasks.md, where the run has written how its tasks stand'],
  )
})

test('of hundreds that are missing the first ones are named', () => {
  const view = sampleRun(Array.from({ length: 300 }, (_, i) => sampleTask(`t${i}`, i === 0 ? 'landed' : 'failed')))
  assert.match(landedText(landed, view, NONE), /t12 \(failed\), … 287 more$/)
})

test('what is not to be done any more, or landed by another run, is not called cancelled', () => {
  const failure = { reason: 'dropped', message: 'it is not in the plan any more' } as const
  const tasks = [sampleTask('a', 'landed'), sampleTask('b', 'cancelled', { failure }), sampleTask('c', 'cancelled')]
  const said = landedText({ ...landed, how: 'up-to-date' }, sampleRun(tasks), new Map([['c', 'shop-2']]))
  assert.deepEqual(said.split('\n').slice(1), [
    'not in it: b (it is not in the plan any more)',
    'landed by other runs: c (shop-2)',
  ])
})
