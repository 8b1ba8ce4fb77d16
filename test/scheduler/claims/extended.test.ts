// `claims: extend`: what was changed without a claim is claimed from then on, and lands when nobody works on it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fact } from '../../../src/event.ts'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { Core, planOf } from '../plan-rig.ts'

function finish(core: Core, task: string, undeclared: string[]): void {
  core.tell({ ...changed(core, task), undeclared: { paths: undeclared, count: undeclared.length } })
}

function changed(core: Core, task: string): Extract<Fact, { type: 'attempt.finished' }> {
  const nothing = { diff: null, usage: null, summary: null, failure: null }
  const attempt = core.view(task).attempts
  return { type: 'attempt.finished', task, attempt, outcome: 'changed', commit: 'a'.repeat(40), ...nothing }
}

const two = planOf({ id: 'a', claims: ['src/a'] }, { id: 'b', claims: ['src/b'] })

test('free paths: it lands at once', () => {
  const core = new Core(two, { claims: 'extend' })
  finish(core, 'a', ['docs/x.md'])
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'running' })
})

test('while somebody works on what it changed, it waits to land, and lands after them', () => {
  const core = new Core(two, { claims: 'extend' })
  finish(core, 'a', ['src/b/x.ts'])
  assert.deepEqual(core.statuses(), { a: 'landing', b: 'running' })
  core.succeed('b')
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'landed' })
  const [build] = core.decisions.filter((decision) => decision.type === 'landing.started')
  assert.deepEqual(
    build?.items.map(({ tasks }) => tasks),
    [['b'], ['a']],
    'who declared it goes first',
  )
})

test('whoever it waits for may also fail', () => {
  const core = new Core(two, { claims: 'extend' })
  finish(core, 'a', ['src/b/x.ts'])
  core.fail('b')
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'failed' })
})

test('nobody begins to work on what it changed before it has landed', () => {
  const plan = planOf(
    { id: 'a', claims: ['src/a'] },
    { id: 'b', claims: ['src/b'] },
    { id: 'c', claims: ['src/b/x.ts'] },
  )
  const core = new Core(plan, { claims: 'extend' })
  core.landings = 'wait'
  finish(core, 'a', ['src/b/x.ts'])
  core.succeed('b')
  assert.deepEqual(core.statuses(), { a: 'landing', b: 'landing', c: 'ready' })
})

test('two that are done never wait for each other', () => {
  const plan = planOf({ id: 'a', claims: ['src/a'] }, { id: 'b', claims: ['src/b'] }, { id: 'c', claims: ['src/c'] })
  const core = new Core(plan, { claims: 'extend', slots: 3 })
  finish(core, 'a', ['src/b/x', 'src/c/x'])
  finish(core, 'b', ['src/a/x', 'src/c/y'])
  assert.deepEqual(core.statuses(), { a: 'landing', b: 'landing', c: 'running' })
  core.succeed('c')
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'landed', c: 'landed' })
})

test('a file whose name looks like a pattern is only itself', () => {
  const core = new Core(planOf({ id: 'a', claims: ['src/a'] }, { id: 'b', claims: ['app/x'] }), { claims: 'extend' })
  finish(core, 'a', ['app/[a-z]'])
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'running' })
})

test('what has to be done again takes from the start what it changed before', () => {
  const plan = planOf({ id: 'a', claims: ['src/a'], retries: 1 }, { id: 'b', claims: ['src/b'] })
  const core = new Core(plan, { claims: 'extend' })
  core.landings = 'wait'
  finish(core, 'a', ['docs/x.md'])
  const failure = { reason: 'landing-failed', message: 'no' } as const
  core.tell({ type: 'landing.refused', tasks: ['a'], onto: core.state.head, failure, retry: true })
  assert.equal(core.view('a').status, 'running')
  assert.deepEqual(core.state.units[0]?.extended, [])
  assert.deepEqual(
    core.state.graph.units[0]?.claims.map(({ pattern }) => pattern),
    ['src/a', 'docs/x.md'],
  )
})

test('with `warn` it is remembered and nothing else', () => {
  const core = new Core(two)
  finish(core, 'a', ['src/b/x.ts'])
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'running' })
  assert.deepEqual(core.view('a').history[0]?.undeclared, { paths: ['src/b/x.ts'], count: 1 })
})

test('a comparison of running worktrees in an old journal is read, and changes nothing', () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b' }))
  const before = core.view('a')
  const attempts: Extract<Fact, { type: 'attempt.overlapped' }>['attempts'] = [
    { task: 'a', attempt: 1 },
    { task: 'b', attempt: 1 },
  ]
  core.tell({ type: 'attempt.overlapped', attempts, paths: ['x'], count: 1 })
  assert.deepEqual(core.view('a'), before)
})

test('a changed plan leaves the claims of what is under way as they have become', () => {
  const core = new Core(two, { claims: 'extend' })
  finish(core, 'a', ['src/b/x.ts', 'docs/x.md'])
  const added = planOf({ id: 'a', claims: ['src/a'] }, { id: 'b', claims: ['src/b'] }, { id: 'c', claims: ['docs'] })
  core.tell({ type: 'run.replanned', plan: comparePlan(core.state, added).plan })
  assert.deepEqual(core.statuses(), { a: 'landing', b: 'running', c: 'ready' })
  core.succeed('b')
  assert.deepEqual(core.statuses(), { a: 'landed', b: 'landed', c: 'running' })
})
