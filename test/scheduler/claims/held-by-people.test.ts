// Claims that people hold: who waits for them, for how long, and what does not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { answered } from '../../../src/scheduler/claims/gained.ts'
import { nextWake } from '../../../src/scheduler/decide.ts'
import { runSummary } from '../../../src/scheduler/view.ts'
import { Core, planOf } from '../plan-rig.ts'

const MINUTE = 60_000

function hold(core: Core, glob: string, ms = 10 * MINUTE, id = 1): Core {
  return core.tell({ type: 'claims.held', hold: id, name: 'ana', glob, since: core.now, until: core.now + ms })
}

function letGo(core: Core, id = 1): Core {
  return core.tell({ type: 'claims.released', hold: id, name: 'ana', glob: '' })
}

function holds(core: Core) {
  return runSummary(core.state, { run: 'test-1', name: 'test', repo: '/repo', enginePid: 1 }).holds
}

/** `first` runs; the two others are ready as soon as it is done. */
function afterFirst(): Core {
  const needs = ['first']
  return new Core(
    planOf({ id: 'first' }, { id: 'auth', needs, claims: ['src/auth/**'] }, { id: 'docs', needs, claims: ['docs/**'] }),
  )
}

test('what claims some of it does not start, everything else does', () => {
  const core = hold(afterFirst(), 'src/**/login.ts').succeed('first')
  assert.deepEqual(core.statuses(), { first: 'landed', auth: 'ready', docs: 'running' })
})

test('it starts when the hold ends by itself, which no event announces', () => {
  const core = hold(afterFirst(), 'src/auth/login.ts').succeed('first').succeed('docs')
  const until = core.now + 10 * MINUTE
  assert.equal(nextWake(core.state), until, 'a run with nothing else to do waits for it')
  core.wait(10 * MINUTE - 1)
  assert.deepEqual([core.running, holds(core)?.length], [[], 1])
  core.wait(1)
  assert.deepEqual([core.running, holds(core)], [['auth'], undefined])
})

test('it starts when the hold is released, unless somebody else holds it too', () => {
  const core = hold(hold(afterFirst(), 'src/auth/a.ts'), 'src/auth/b.ts', MINUTE, 2)
  core.succeed('first').succeed('docs')
  assert.deepEqual(letGo(core).running, [])
  assert.deepEqual(letGo(core, 2).running, ['auth'])
})

test('what runs goes on and lands; tried again, it waits', () => {
  const core = new Core(planOf({ id: 'a', claims: ['src/**'], retries: 1 }, { id: 'b', claims: ['lib/**'] }))
  hold(core, 'src/**')
  hold(core, 'lib/**', 10 * MINUTE, 2)
    .succeed('b')
    .fail('a')
    .wait(2 * MINUTE)
  assert.deepEqual(core.statuses(), { a: 'ready', b: 'landed' })
})

test('what only reads it waits too', () => {
  const core = new Core(planOf({ id: 'first' }, { id: 'reader', needs: ['first'], claims: { read: ['src/**'] } }))
  assert.deepEqual(hold(core, 'src/a.ts').succeed('first').running, [])
})

test('a run that has a conflict to be resolved does not rest before the hold ends', () => {
  const core = new Core(planOf({ id: 'a', claims: ['src/**'] }, { id: 'b', claims: ['docs/**'] }), { slots: 1 })
  core.landings = 'wait'
  hold(core, 'docs/x.md').succeed('a')
  const commit = 'c'.repeat(40)
  const onto = core.state.head
  const failure = { reason: 'conflict' as const, message: 'conflict' }
  core.tell({
    type: 'landing.refused',
    ...{ tasks: ['a'], onto, failure, retry: false, conflict: { commit, onto, by: 'person' as const } },
  })
  core.tell({ type: 'landing.built', items: [], onto })
  assert.deepEqual([core.statuses(), core.state.finished], [{ a: 'conflict', b: 'ready' }, null])
  core.wait(10 * MINUTE).succeed('b')
  assert.equal(core.view('b').status, 'landing')
})

test('an agent that asks for what a person holds is told who that is, until the hold ends', () => {
  const core = hold(new Core(planOf({ id: 'a', claims: ['src/**'] })), 'docs/**')
  const ask = (now: number) => {
    const asked = { type: 'attempt.asked' as const, task: 'a', attempt: 1, paths: ['docs/x.md'], request: 1 }
    return answered(core.state, { ...asked, holder: null }, now).holder
  }
  assert.equal(ask(core.now), 'ana (a person)')
  assert.equal(ask(core.now + 10 * MINUTE), null)
})

test('a plan that changes does not make it forgotten', () => {
  const core = hold(afterFirst(), 'src/auth/**').succeed('first')
  core.tell({ type: 'run.replanned', plan: comparePlan(core.state, planOf({ id: 'new', claims: ['src/**'] })).plan })
  assert.equal(core.view('new').status, 'ready')
  assert.equal(letGo(core).view('new').status, 'running')
})

test('told twice it is one hold', () => {
  const core = hold(hold(afterFirst(), 'src/auth/**'), 'src/auth/**').succeed('first')
  assert.deepEqual([holds(core)?.length, core.running], [1, ['docs']])
  assert.deepEqual(letGo(letGo(core)).running, ['auth', 'docs'])
})
