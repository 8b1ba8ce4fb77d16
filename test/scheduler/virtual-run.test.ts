import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../src/event.ts'
import { virtualLimits, virtualRun } from '../../src/scheduler/virtual-run.ts'
import { makePlan, type TaskDraft } from '../rig/plan.ts'

const MINUTE = 60_000

/** The example of docs/scheduling.md. */
const twoWays = makePlan(
  [
    { id: 'a', estimateMs: 2 * MINUTE },
    { id: 'b', estimateMs: 6 * MINUTE },
    { id: 'c', estimateMs: 2 * MINUTE, needs: ['a'] },
    { id: 'd', estimateMs: 2 * MINUTE, needs: ['c'] },
  ].map((draft) => ({ timeoutMs: 60 * MINUTE, ...draft })),
)

test('the example of the documentation takes six minutes eagerly and ten in waves', () => {
  assert.equal(virtualRun(twoWays, { limits: virtualLimits(2) }).makespanMs, 6 * MINUTE)
  assert.equal(virtualRun(twoWays, { limits: virtualLimits(2, { schedule: 'waves' }) }).makespanMs, 10 * MINUTE)
  assert.equal(virtualRun(twoWays, { limits: virtualLimits(1) }).makespanMs, 12 * MINUTE)
})

test('what ends at the same time is taken in before the next is chosen', () => {
  const drafts: TaskDraft[] = [
    { id: 'first', estimateMs: 1000, priority: 1 },
    { id: 'second', estimateMs: 1000 },
    { id: 'short', needs: ['first'], estimateMs: 1000 },
    { id: 'long', needs: ['second'], estimateMs: 9000 },
    { id: 'other', needs: ['first'], estimateMs: 5000 },
  ]
  const order: string[] = []
  const onEvent = (event: Event) => void (event.type === 'attempt.started' && order.push(event.task))
  virtualRun(makePlan(drafts), { limits: virtualLimits(2), onEvent })
  // The long one is ready only once `second` has ended, and goes before what `first` has set free.
  assert.deepEqual(order.slice(2), ['long', 'other', 'short'])
})

test('it can be stopped after so many attempts, and tells what happened', () => {
  const events: Event[] = []
  const { state } = virtualRun(twoWays, { limits: virtualLimits(2), until: 2, onEvent: (event) => events.push(event) })
  assert.equal(state.finished, null)
  assert.equal(events.filter(({ type }) => type === 'attempt.finished').length, 2)
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, at) => at + 1),
  )
})

test('a task that names paths outside of the repository fails at once, and blocks what needs it', () => {
  const plan = makePlan([
    { id: 'bad', outside: ['/etc/hosts'], estimateMs: MINUTE },
    { id: 'next', needs: ['bad'] },
    { id: 'free', estimateMs: 1000 },
  ])
  const { makespanMs, state } = virtualRun(plan, { limits: virtualLimits(2) })
  assert.equal(makespanMs, 1000)
  assert.equal(state.finished, 'failed')
  assert.deepEqual([state.counts.failed, state.counts.blocked, state.counts.landed], [1, 1, 1])
})

test('a budget holds the rest back, by what the tasks are estimated to cost', () => {
  const plan = makePlan(['a', 'b', 'c'].map((id) => ({ id, estimateMs: 1000, estimateUsd: 4 })))
  const limits = virtualLimits(1, { budget: { usd: 9, onReached: 'finish' } })
  const { state } = virtualRun(plan, { limits })
  assert.equal(state.finished, 'waiting')
  assert.deepEqual([state.counts.landed, state.usage.costUsd], [2, 8])
})
