import assert from 'node:assert/strict'
import { test } from 'node:test'
import { landedText } from '../../../src/cli/status/landed-text.ts'
import { HEAD, sampleRun, sampleTask } from '../sample-run.ts'

const landed = { run: 'shop-1', into: 'main', commit: HEAD, how: 'fast-forward', uncommitted: [] as string[] } as const
const NONE = new Map<string, string>()

test('all of a run, where all of it landed or had nothing to land', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'passed')])
  assert.equal(
    landedText(landed, view, NONE),
    'Landed 1/2 tasks of run shop-1 on main (a1b2c3d4); 1 passed without landing anything',
  )
  assert.equal(
    landedText({ ...landed, how: 'up-to-date' }, view, NONE),
    'main already has 1/2 tasks of run shop-1; 1 passed without landing anything',
  )
})

test('a part of a run is called a part, and what is missing is named', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'failed'), sampleTask('c', 'blocked')])
  assert.equal(
    landedText(landed, view, NONE),
    'Landed 1/3 tasks of run shop-1 on main (a1b2c3d4)\nNot landed: b (failed), c (blocked)',
  )
  assert.match(
    landedText({ ...landed, how: 'merge' }, view, NONE),
    /^Landed 1\/3 tasks of run shop-1 on main \(a1b2c3d4\), by a merge\n/,
  )
})

test('what passed with nothing to land is counted, so that it is not taken for lost', () => {
  const view = sampleRun([sampleTask('a', 'landed'), sampleTask('b', 'passed'), sampleTask('c', 'failed')])
  assert.equal(
    landedText(landed, view, NONE),
    'Landed 1/3 tasks of run shop-1 on main (a1b2c3d4); 1 passed without landing anything\nNot landed: c (failed)',
  )
})

test('a plan file that the run has written into, and nobody has committed, is named', () => {
  const view = sampleRun([sampleTask('a', 'landed')])
  assert.deepEqual(
    landedText({ ...landed, uncommitted: ['tasks.md'] }, view, NONE)
      .split('\n')
      .slice(1),
    ['Not committed: task statuses in tasks.md'],
  )
})

test('of hundreds that are missing the first ones are named', () => {
  const view = sampleRun(Array.from({ length: 300 }, (_, i) => sampleTask(`t${i}`, i === 0 ? 'landed' : 'failed')))
  assert.match(landedText(landed, view, NONE), /t12 \(failed\), … 287 more$/)
})

test('what was dropped, or landed by another run, is not called cancelled', () => {
  const failure = { reason: 'dropped', message: 'it is not in the plan any more' } as const
  const tasks = [sampleTask('a', 'landed'), sampleTask('b', 'cancelled', { failure }), sampleTask('c', 'cancelled')]
  const said = landedText({ ...landed, how: 'up-to-date' }, sampleRun(tasks), new Map([['c', 'shop-2']]))
  assert.deepEqual(said.split('\n').slice(1), [
    'Not landed: b (it is not in the plan any more)',
    'Landed by other runs: c (shop-2)',
  ])
})
