import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendingOf } from '../../src/facts/spending.ts'
import type { TaskStatus } from '../../src/status.ts'
import { NO_USAGE } from '../../src/usage.ts'
import type { AttemptView, SpentOn, TaskView } from '../../src/view.ts'
import { CHOICE, sampleTask } from '../cli/sample-run.ts'
import { attemptOf, planOf } from '../reports/sample.ts'

const FAILED = { reason: 'verify-failed' as const, message: 'no' }

function paid(costUsd: number, more: Partial<AttemptView> = {}, model = 'opus'): AttemptView {
  const session = { agent: 'claude', id: 's', model, turns: 1, messages: 1, toolCalls: 0 }
  return attemptOf({ usage: { ...NO_USAGE, inputTokens: costUsd * 100, costUsd }, session, ...more })
}

function task(id: string, status: TaskStatus, history: AttemptView[], more: Partial<TaskView> = {}): TaskView {
  return sampleTask(id, status, { history, ...more })
}

function costs(spent: SpentOn[]): Record<string, [number, number]> {
  return Object.fromEntries(spent.map(({ name, usage, notLanded }) => [name, [usage.costUsd, notLanded.costUsd]]))
}

test('what was spent, by everything it can be asked for, and what of it did not land', () => {
  const spending = spendingOf([
    task('a', 'landed', [paid(1, { failure: FAILED }), paid(2)], { epic: 'api' }),
    task('b', 'failed', [paid(4, { failure: FAILED }, 'haiku')], { epic: 'api' }),
    task('c', 'passed', [paid(8)], { epic: 'ui' }),
    task('d', 'pending', []),
  ])
  assert.deepEqual(costs(spending.tasks), { a: [3, 1], b: [4, 4], c: [8, 0] })
  assert.deepEqual(costs(spending.epics), { api: [7, 5], ui: [8, 0] })
  assert.deepEqual(costs(spending.agents), { claude: [15, 5] })
  assert.deepEqual(costs(spending.models), { opus: [11, 1], haiku: [4, 4] })
  assert.equal(spending.run.usage.inputTokens, 1500)
  assert.equal(spending.run.notLanded.inputTokens, 500)
})

test('a sum says that a part of it has no price', () => {
  const unpriced = paid(0, { usage: { ...NO_USAGE, inputTokens: 5, costUnknown: true }, failure: FAILED })
  const { run, tasks } = spendingOf([task('a', 'landed', [paid(1), unpriced, paid(2)]), task('b', 'landed', [paid(4)])])
  assert.deepEqual([run.usage.costUsd, run.usage.costUnknown, run.notLanded.costUnknown], [7, true, true])
  assert.deepEqual(
    tasks.map(({ usage }) => usage.costUnknown),
    [true, undefined],
  )
})

const ENDS: { status: TaskStatus; last: Partial<AttemptView>; notLanded: number }[] = [
  { status: 'landed', last: {}, notLanded: 1 },
  { status: 'passed', last: {}, notLanded: 1 },
  { status: 'landing', last: {}, notLanded: 1 },
  { status: 'conflict', last: {}, notLanded: 1 },
  { status: 'running', last: { finishedAt: null, outcome: null }, notLanded: 1 },
  { status: 'pending', last: { failure: FAILED }, notLanded: 3 },
  { status: 'failed', last: { failure: FAILED }, notLanded: 3 },
  { status: 'cancelled', last: {}, notLanded: 3 },
  // It succeeded, but another task of its epic did not.
  { status: 'failed', last: {}, notLanded: 3 },
]
for (const { status, last, notLanded } of ENDS) {
  const how = last.failure ? 'failed' : 'did not fail'
  test(`of two attempts of a task that is ${status}, the last of which ${how}, ${notLanded === 1 ? 'one is' : 'both are'} lost`, () => {
    const { run } = spendingOf([task('a', status, [paid(1, { failure: FAILED }), paid(2, last)])])
    assert.deepEqual([run.usage.costUsd, run.notLanded.costUsd], [3, notLanded])
  })
}

test('what a fallback spent is its own, and not of the model that was meant for another', () => {
  const insteadOf = { agent: 'claude', until: 1 }
  const history = [paid(1, { session: null, agent: 'claude' }), paid(2, { session: null, agent: 'codex', insteadOf })]
  const plan = planOf([{ id: 'a' }])
  const [only] = plan.tasks
  assert.ok(only)
  only.work = { kind: 'prompt', prompt: 'x', agent: 'claude', model: 'opus', fallbacks: ['codex'] }
  const { agents, models } = spendingOf([task('a', 'landed', history)], plan)
  assert.deepEqual(costs(agents), { claude: [1, 1], codex: [2, 0] })
  assert.deepEqual(costs(models), { opus: [1, 1] })
})

test('an attempt that does not say who worked is of the agent the plan names', () => {
  const history = [paid(1, { session: null })]
  assert.deepEqual(costs(spendingOf([task('a', 'landed', history)], planOf([{ id: 'a' }])).agents), { command: [1, 0] })
  assert.deepEqual(spendingOf([task('a', 'landed', history)]).agents, [])
})

test('nothing spent is nothing to tell', () => {
  const { tasks, run } = spendingOf([task('a', 'landed', [attemptOf({ usage: NO_USAGE })])])
  assert.deepEqual([tasks, run.usage], [[], NO_USAGE])
})

test('where its agent does not tell, the model is the one that was chosen', () => {
  const plan = planOf([{ id: 'a' }])
  const work = { kind: 'prompt', prompt: '…', agent: 'claude', model: 'auto' } as const
  for (const one of plan.tasks) one.work = work
  const attempt = { ...paid(1), agent: 'claude', session: null, choice: CHOICE }
  assert.deepEqual(costs(spendingOf([task('a', 'landed', [attempt])], plan).models), { 'claude-haiku-4-5': [1, 0] })
})
