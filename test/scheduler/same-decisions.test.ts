// I14: the same plan, seed and events give the same decisions, whenever `decide` was asked in between. An engine asks at
// every wake; a replay asks only where the journal has a decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply } from '../../src/scheduler/apply/apply.ts'
import { decide, nextWake } from '../../src/scheduler/decide.ts'
import { emptyState } from '../../src/scheduler/state.ts'
import { NO_USAGE } from '../../src/usage.ts'
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

test('what is verified next does not depend on whether anybody has looked since a half-done epic may go on', () => {
  const shared = { epic: 'e', isolation: 'epic' as const, estimateUsd: 0.5, retries: 1 }
  const tasks = planOf({ id: 'a1', ...shared }, { id: 'a2', ...shared }, { id: 'b' }, { id: 'c' }, { id: 'd' })
  const plan = { ...tasks, epics: [{ id: 'e', title: 'e', needs: [], budgetUsd: 2 }] }
  const limits = { ...LIMITS, slots: 1, landing: { verify: true, window: 3, allgreen: true, reruns: 0 } }
  const core = new Core(plan, limits)
  core.landings = 'wait'
  const end = (task: string, costUsd: number, failure: { reason: 'agent-failed'; message: string } | null = null) => {
    const outcome = failure ? ('failed' as const) : ('changed' as const)
    const nothing = { commit: failure ? null : task.padStart(40, '0'), diff: null, summary: null }
    const usage = { ...NO_USAGE, costUsd }
    core.tell({ type: 'attempt.finished', task, attempt: 1, outcome, failure, ...nothing, usage })
  }
  const built = (task: string, commit: string, onto: string) =>
    core.tell({ type: 'landing.built', items: [{ tasks: [task], commit }], onto })
  end('a1', 1)
  end('a2', 0.8, { reason: 'agent-failed', message: 'no' })
  // The epic has no money for another try: others run in its place, and verifications have its slot.
  core.wait(10_000)
  end('b', 0)
  built('b', '1'.repeat(40), core.state.head)
  end('c', 0)
  built('c', '2'.repeat(40), '1'.repeat(40))
  const before = core.journal.length
  end('d', 0)
  const [finished, next] = core.journal.slice(before)
  assert.equal(next?.type, 'landing.verifying')
  const again = core.journal.slice(0, before + 1).reduce(apply, emptyState(plan, limits))
  const decided = decide(again, finished?.at ?? 0)
  assert.deepEqual({ ...decided, seq: next?.seq, at: next?.at }, next)
})
