import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { limitsOf } from '../../../src/engine/open/limits.ts'
import { stateFromJournal } from '../../../src/engine/open/replay-journal.ts'
import type { Event, Fact } from '../../../src/event.ts'
import { record } from '../../../src/scheduler/state.ts'
import { makePlan } from '../../rig/plan.ts'

const plan = makePlan([{ id: 'a', run: 'true' }])
const limits = limitsOf(DEFAULT_SETTINGS)
const base = 'a'.repeat(40)

function journal(...facts: Fact[]): Event[] {
  const started: Fact[] = [
    { type: 'run.started', base, branch: 'espalier/plan-1', seed: 1, limits },
    { type: 'attempt.started', task: 'a', attempt: 1, slot: 1, base, deadline: 1_500, worker: 'local' },
  ]
  return [...started, ...facts].map((fact, index) => ({ ...fact, seq: index + 1, at: 1_000 }))
}

function deadline(ended: number | null, lives = true): number | null {
  const looks = { workEnd: () => ended, goesOn: () => lives, now: 9_000 }
  const current = record(stateFromJournal(plan, limits, journal(), looks), 0).state
  return current.status === 'running' ? current.deadline : null
}

test('an agent that ended in time gets its timeout again for its checks; one that did not, does not', () => {
  assert.equal(deadline(1_400), 9_500)
  assert.equal(deadline(1_600), 1_500)
  assert.equal(deadline(null), 1_500)
})

test('what was lost while there was no engine has not run too long', () => {
  assert.equal(deadline(null, false), 9_500)
})

test('it is known when an attempt that is under way was told to stop', () => {
  const stopping: Fact = { type: 'attempt.stopping', task: 'a', attempt: 1, reason: 'timeout' }
  const looks = { workEnd: () => null, goesOn: () => true, now: 9_000 }
  const current = record(stateFromJournal(plan, limits, journal(stopping), looks), 0).state
  assert.deepEqual(current.status === 'running' && [current.stopping, current.stoppingSince], ['timeout', 1_000])
})
