import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureReason } from '../../../src/failure.ts'
import type { Suite, SuiteEntry } from '../../../src/suite-definition.ts'
import { entryResults, suiteSummary } from '../../../src/workloads/suite/entry-results.ts'
import { Core, LIMITS, planOf } from '../../scheduler/plan-rig.ts'

function suiteOf(entries: Record<string, string[]>): Suite {
  const made = Object.entries(entries).map(([id, tasks]): SuiteEntry => {
    const plain = { variant: {}, repetition: null, shard: null, side: null, quarantined: false }
    return { id, entry: id, tasks, runs: { kind: 'command', command: 'x' }, ...plain }
  })
  return { entries: made, keepFailed: 0, cleanup: false, compared: null }
}

function resultsOf(core: Core, suite: Suite) {
  return entryResults(suite, new Map(core.views.map((view) => [view.id, view])))
}

function fail(core: Core, task: string, reason: FailureReason): void {
  const failure = { reason, message: reason }
  const nothing = { commit: null, diff: null, usage: null, summary: null }
  core.tell({
    type: 'attempt.finished',
    task,
    attempt: core.view(task).attempts,
    outcome: 'failed',
    failure,
    ...nothing,
  })
}

const one = { land: false, retries: 2 } as const

test('failed then passed is flaky; what nobody is to blame for begins no new try', () => {
  const core = new Core(planOf({ id: 'a', ...one }, { id: 'b', ...one }), LIMITS)
  const suite = suiteOf({ a: ['a'], b: ['b'] })
  fail(core, 'b', 'supervisor-lost')
  core.fail('a').wait(600_000)
  core.succeed('a', false).succeed('b', false)
  const [a, b] = resultsOf(core, suite)
  assert.deepEqual([a?.verdict, a?.tries.map(({ passed }) => passed)], ['flaky', [false, true]])
  assert.deepEqual(
    [b?.verdict, b?.tries.map(({ passed, attempts }) => [passed, attempts.length])],
    ['passed', [[true, 2]]],
  )
  const summary = suiteSummary(
    [a, b].flatMap((result) => result ?? []),
    { startedAt: 0, finishedAt: 1000, slots: 2 },
    1000,
  )
  assert.deepEqual([summary.ok, summary.flaky, summary.passed], [true, 1, 1])
})

test('a plan is tried as a whole: a try is all of its tasks, and ends with the first that fails', () => {
  const shared = { ...one, epic: 'e', isolation: 'epic' } as const
  const core = new Core(planOf({ id: 'x', ...shared }, { id: 'y', ...shared }), LIMITS)
  const suite = suiteOf({ e: ['x', 'y'] })
  assert.equal(resultsOf(core, suite)[0]?.verdict, 'running')
  core.succeed('x').fail('y').wait(600_000)
  core.succeed('x').succeed('y')
  const [entry] = resultsOf(core, suite)
  assert.equal(entry?.verdict, 'flaky')
  assert.deepEqual(
    entry?.tries.map(({ passed, attempts }) => [
      passed,
      attempts.map(({ task, attempt }) => `${task}${attempt}`).join(' '),
    ]),
    [
      [false, 'x1 y1'],
      [true, 'x2 y2'],
    ],
  )
})

test('what needs a failed entry is blocked, and fails the suite unless it is quarantined', () => {
  const core = new Core(planOf({ id: 'a', land: false }, { id: 'b', land: false, needs: ['a'] }), LIMITS)
  const suite = suiteOf({ a: ['a'], b: ['b'] })
  core.fail('a')
  const results = resultsOf(core, suite)
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['failed', 'blocked'],
  )
  const run = { startedAt: 0, finishedAt: 1000, slots: 1 }
  assert.equal(suiteSummary(results, run, 0).ok, false)
  const spared = results.map((result) => ({ ...result, quarantined: true }))
  assert.deepEqual([suiteSummary(spared, run, 0).ok, suiteSummary(spared, run, 0).quarantined], [true, 2])
})
