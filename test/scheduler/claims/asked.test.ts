// Claims that an agent asks for while it works.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS as BOUNDS } from '../../../src/config.ts'
import type { Fact } from '../../../src/event.ts'
import { isHeard } from '../../../src/scheduler/apply/notes-and-claim-requests.ts'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { answered, grantedTo, withGranted } from '../../../src/scheduler/claims/gained.ts'
import { Core, planOf } from '../plan-rig.ts'

function ask(core: Core, task: string, ...paths: string[]): string | null {
  const attempt = core.view(task).attempts
  const asked = answered(
    core.state,
    { type: 'attempt.asked', task, attempt, paths, holder: null, request: 1 },
    core.now,
  )
  core.tell(asked)
  return asked.holder
}

const two = planOf({ id: 'a', claims: ['src/a/**'] }, { id: 'b', claims: ['src/b/**'] })

test('what nobody has claimed is granted at once; of what another has, the holder is named', () => {
  const core = new Core(two)
  assert.equal(ask(core, 'a', 'docs/x.md'), null)
  assert.equal(ask(core, 'a', 'docs/y.md', 'src/b/x.ts'), 'b', 'all of it or nothing')
  assert.equal(ask(core, 'b', 'docs/**'), 'a', 'what was granted counts like what was written')
  const asked = core.view('a').history.at(-1)?.asked
  assert.deepEqual(
    asked?.map(({ paths, holder }) => [paths, holder]),
    [
      [['docs/x.md'], null],
      [['docs/y.md', 'src/b/x.ts'], 'b'],
    ],
  )
  assert.deepEqual(grantedTo(core.view('a').history), ['docs/x.md'])
})

test('what it has claimed itself does not stand in its way', () => {
  assert.equal(ask(new Core(two), 'a', 'src/a/x.ts', 'src/a/**'), null)
})

test('nobody who claims it begins before its work has landed', () => {
  const core = new Core(planOf({ id: 'a' }, { id: 'b' }, { id: 'c', claims: ['docs/**'] }))
  core.landings = 'wait'
  assert.equal(ask(core, 'a', 'docs/x.md'), null, 'one without claims may have some too')
  core.succeed('b').succeed('a')
  assert.deepEqual(core.statuses(), { a: 'landing', b: 'landing', c: 'ready' })
})

test('what it was granted it takes again when it is tried again, also after the plan has changed', () => {
  const plan = planOf({ id: 'a', claims: ['src/a/**'], retries: 3 }, { id: 'b', claims: ['src/b/**'] })
  const core = new Core(plan)
  ask(core, 'a', 'docs/**')
  core.fail('a').wait(100_000)
  assert.equal(ask(core, 'b', 'docs/x.md'), 'a')
  core.fail('a')
  core.tell({ type: 'run.replanned', plan: comparePlan(core.state, plan).plan }).wait(100_000)
  assert.deepEqual(core.running, ['a', 'b'])
  assert.equal(ask(core, 'b', 'docs/x.md'), 'a')
})

test('what comes from an attempt that is over, or too often, is not heard', () => {
  const core = new Core(planOf({ id: 'a', retries: 1 }))
  const note = (attempt: number): Extract<Fact, { type: 'attempt.noted' }> => {
    return { type: 'attempt.noted', task: 'a', attempt, kind: 'progress', text: 'x', request: 3 }
  }
  assert.equal(isHeard(core.state, note(1)), true)
  for (let told = 0; told < BOUNDS.notes + 5; told++) core.tell(note(1))
  assert.equal(isHeard(core.state, note(1)), false)
  assert.equal(core.view('a').history[0]?.notes?.length, BOUNDS.notes)
  core.fail('a').wait(100_000)
  core.tell(note(1))
  assert.equal(core.view('a').history[1]?.notes, undefined)
  assert.equal(isHeard(core.state, note(2)), true)
  assert.equal(core.state.lastRequest, 3, 'it was answered, whatever the answer')
})

test('one that says it is blocked is not tried again', () => {
  const core = new Core(planOf({ id: 'a', retries: 5 }))
  const failure = { reason: 'agent-blocked' as const, message: 'no key' }
  const nothing = { diff: null, usage: null, summary: null, commit: null }
  core.tell({ type: 'attempt.finished', task: 'a', attempt: 1, outcome: 'failed', failure, ...nothing })
  assert.deepEqual(core.statuses(), { a: 'failed' })
})

test('a task that claims nothing has declared nothing, whatever it was granted', () => {
  assert.deepEqual(withGranted({ write: [], read: [] }, ['x']), { write: [], read: [] })
  assert.deepEqual(withGranted({ write: [], read: ['y'] }, ['x']), { write: ['x'], read: ['y'] })
  assert.deepEqual(withGranted({ write: ['x'], read: [] }, ['x', 'z']), { write: ['x', 'z'], read: [] })
})
