import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { estimateTasks } from '../../../src/engine/open/estimates.ts'
import { likelyMs, likelyUsd } from '../../../src/task.ts'
import { knowing, stateOf, storeOf } from '../../learning/known.ts'
import { experienceOf } from '../../learning/sample.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const plan = makePlan([
  { id: 'own', estimateMs: 5_000, estimateUsd: 3 },
  { id: 'seen' },
  { id: 'half', estimateMs: 7_000 },
  { id: 'new', prompt: 'Draw a picture of a whale.' },
])

test('what the plan says counts, else what earlier runs took, and the rest stays open', async () => {
  await using repository = await knowing([])
  const experiences = [
    experienceOf({ run: 'plan-1', task: 'own', durationMs: 1_000, costUsd: 1 }),
    experienceOf({ run: 'plan-1', task: 'seen', durationMs: 2_000, costUsd: 2 }),
    experienceOf({ run: 'plan-1', task: 'half', durationMs: 3_000, costUsd: 4 }),
  ]
  {
    await using store = await storeOf(repository)
    await store.learn(() => ({ touched: [], experiences }))
  }
  const read = await estimateTasks(await workspaceAt(repository.top), { plan, settings: makeSettings() })
  assert.ok(read.ok, JSON.stringify(read))
  const { plan: estimated, time, cost } = read.value
  assert.deepEqual(estimated.tasks.map((task) => [task.id, likelyMs(task), likelyUsd(task)]).slice(0, 3), [
    ['own', 5_000, 3],
    ['seen', 2_000, 2],
    ['half', 7_000, 4],
  ])
  assert.deepEqual([time.plan, time.history + time.unknown], [2, 2])
  assert.deepEqual([cost.plan, cost.history + cost.unknown], [1, 3])
  assert.ok(time.history >= 1 && cost.history >= 2)
})

test('without earlier runs the plan is as it was written, and no state folder is made', async () => {
  await using repository = await makeRepository()
  const read = await estimateTasks(await workspaceAt(repository.top), { plan, settings: makeSettings() })
  assert.ok(read.ok)
  assert.deepEqual(read.value, {
    plan,
    time: { plan: 2, history: 0, unknown: 2, assumedMs: 7_000 },
    cost: { plan: 1, history: 0, unknown: 3 },
  })
  assert.ok(!existsSync(stateOf(repository)))
})

test('turned off, learning estimates nothing', async () => {
  await using repository = await knowing([])
  {
    await using store = await storeOf(repository)
    const experiences = [experienceOf({ run: 'plan-1', task: 'seen', durationMs: 2_000 })]
    await store.learn(() => ({ touched: [], experiences }))
  }
  const settings = makeSettings({ learning: { enabled: false } })
  const read = await estimateTasks(await workspaceAt(repository.top), { plan, settings })
  assert.ok(read.ok && read.value.time.history === 0)
})
