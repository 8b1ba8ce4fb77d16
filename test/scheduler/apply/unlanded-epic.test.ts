// Tasks that share a worktree and never land: each on top of the one before, judged together, begun again together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Core, LIMITS, planOf } from '../plan-rig.ts'

const shared = { epic: 'e', isolation: 'epic', land: false, retries: 1 } as const

test('each goes on from the work of the one before, and all pass without landing', () => {
  const core = new Core(planOf({ id: 'a', ...shared }, { id: 'b', ...shared }), LIMITS)
  core.succeed('a')
  assert.equal(core.view('b').history[0]?.base, core.view('a').history[0]?.commit)
  assert.equal(core.view('b').history[0]?.slot, 1)
  core.succeed('b')
  assert.deepEqual(core.statuses(), { a: 'passed', b: 'passed' })
  assert.equal(core.state.head, core.state.base)
  assert.equal(core.state.finished, 'completed')
})

test('a failure begins all of it again from the base, at most as often as the retries say', () => {
  const core = new Core(planOf({ id: 'a', ...shared }, { id: 'b', ...shared }), LIMITS)
  core.succeed('a').fail('b')
  assert.deepEqual(core.statuses(), { a: 'pending', b: 'pending' })
  assert.equal(core.state.workers.atWork.size, 0)
  core.wait(120_000)
  assert.deepEqual(core.running, ['a'])
  assert.equal(core.view('a').history[1]?.base, core.state.base)
  core.succeed('a')
  assert.equal(core.view('b').history[1]?.base, core.view('a').history[1]?.commit)
  core.fail('b')
  assert.deepEqual(core.statuses(), { a: 'blocked', b: 'failed' })
  assert.equal(core.view('a').failure?.cause, 'b')
})

test('they have one time limit together, which begins anew with another try', () => {
  const plan = planOf({ id: 'a', ...shared, timeoutMs: 50_000 }, { id: 'b', ...shared, timeoutMs: 50_000 })
  const core = new Core({ ...plan, epics: [{ id: 'e', title: 'e', needs: [], timeoutMs: 60_000 }] }, LIMITS)
  core.now += 40_000
  core.succeed('a')
  core.wait(20_000)
  assert.equal(core.decisions.findLast(({ type }) => type === 'attempt.stopping')?.type, 'attempt.stopping')
  core.stopped('b')
  core.wait(120_000)
  assert.deepEqual(core.running, ['a'])
  core.now += 40_000
  core.succeed('a')
  assert.deepEqual(core.running, ['b'])
})

test('a task with a base of its own starts there', () => {
  const base = 'b'.repeat(40)
  const core = new Core(planOf({ id: 'a', land: false, base }, { id: 'b' }), LIMITS)
  assert.equal(core.view('a').history[0]?.base, base)
  assert.equal(core.view('b').history[0]?.base, core.state.head)
})
