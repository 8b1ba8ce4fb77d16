// I14: the same plan, seed and events give the same decisions, whenever `decide` was asked in between. An engine asks at
// every wake; a replay asks only where the journal has a decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextWake } from '../../src/scheduler/decide.ts'
import { checkSameDispatch } from '../simulation/history.ts'
import { Core, LIMITS, planOf, type Sketch } from './plan-rig.ts'

test('which of two epics that are half done goes on first does not depend on who was looked at first', () => {
  const byClaude = { kind: 'prompt' as const, prompt: 'x', agent: 'claude', model: null }
  const shared = (id: string, epic: string): Sketch => ({ id, epic, isolation: 'epic', retries: 1 })
  const plan = planOf(
    { ...shared('b1', 'f') },
    { ...shared('b2', 'f'), work: byClaude },
    { ...shared('a1', 'e') },
    { ...shared('a2', 'e'), work: byClaude },
    { id: 'limited', work: byClaude },
  )
  const limits = { ...LIMITS, slots: 3 }
  const core = new Core(plan, limits)
  core.succeed('a1').fail('a2')
  const nothing = { commit: null, diff: null, usage: null, summary: null }
  const failure = { reason: 'rate-limited' as const, message: '429' }
  const end = { type: 'attempt.finished' as const, task: 'limited', attempt: 1, outcome: 'rate-limited' as const }
  core.tell({ ...end, ...nothing, failure, limitedUntil: core.now + 50_000 })
  // The time of a2 has come: only this look at it says so, and its agent is paused.
  core.wait(10_000)
  core.succeed('b1')
  assert.deepEqual(core.running, [])
  core.wait((nextWake(core.state) ?? 0) - core.now)
  assert.deepEqual(core.running, ['b2'])
  core.tell({ type: 'attempt.stirred', task: 'b2', attempt: 1, answered: true })
  assert.deepEqual(core.running, ['b2', 'a2', 'limited'])
  checkSameDispatch({ original: plan, limits, journal: core.journal })
})

test('which of two that are out of time at once is ended first does not depend on what else had a deadline', () => {
  const plan = planOf({ id: 'short', timeoutMs: 5_000 }, { id: 'silent' }, { id: 'other' })
  const limits = { ...LIMITS, slots: 3, onStall: 'retry' as const }
  const core = new Core(plan, limits)
  core.tell({ type: 'attempt.stalled', task: 'silent', attempt: 1, since: core.now })
  core.succeed('short', false)
  // An engine that waits forgets the deadline of what has ended; then one is written down again.
  nextWake(core.state)
  core.tell({ type: 'attempt.stirred', task: 'silent', attempt: 1 })
  core.wait(60_000)
  const stopped = core.decisions.flatMap((decision) => (decision.type === 'attempt.stopping' ? [decision.task] : []))
  assert.deepEqual(stopped, ['silent', 'silent', 'other'])
  checkSameDispatch({ original: plan, limits, journal: core.journal })
})
