import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from '../../../src/reports/facts/run.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { planOf, START, taskOf, viewOf } from '../sample.ts'

function input() {
  const usage = { ...NO_USAGE, costUsd: 3 }
  const tasks = [
    taskOf({ id: 'a', epic: 'api', history: [{ usage }] }),
    taskOf({ id: 'b', epic: 'api', history: [{ finishedAt: null, usage: { ...NO_USAGE, costUsd: 0.5 } }] }),
    taskOf({ id: 'c' }),
  ]
  const view = { ...viewOf(tasks), budgets: { ...NOTHING, budgetUsd: 10, spentUsd: 3.5 } }
  const plan = planOf(tasks)
  const withBudgets = {
    ...plan,
    epics: [{ id: 'api', title: 'api', needs: [], budgetUsd: 4 }],
    tasks: plan.tasks.map((task) => ({ ...task, budgetUsd: 3 })),
  }
  return { view, plan: withBudgets, logTails: {}, generatedAt: START }
}

const NOTHING = { onReached: 'finish' as const, reached: [], holding: [] }

test('all budgets something is spent of, with what running attempts have told', () => {
  assert.deepEqual(factsOf(input()).budgets, [
    { scope: 'run', name: 'run', budgetUsd: 10, spentUsd: 3.5 },
    { scope: 'epic', name: 'api', budgetUsd: 4, spentUsd: 3.5 },
    { scope: 'task', name: 'a', budgetUsd: 3, spentUsd: 3 },
    { scope: 'task', name: 'b', budgetUsd: 3, spentUsd: 0.5 },
  ])
})

test('as a table', () => {
  const text = renderMarkdown(input())
  assert.match(text, /\| run \| total \| \$10\.00 \| \$3\.50 \| 35% \|/)
  assert.match(text, /\| epic \| api \| \$4\.00 \| \$3\.50 \| 87% \(nearly used up\) \|/)
  assert.match(text, /\| task \| a \| \$3\.00 \| \$3\.00 \| 100% \(used up\) \|/)
})

test('a run without budgets has no such part', () => {
  const input = { view: viewOf([]), plan: planOf([]), logTails: {}, generatedAt: START }
  assert.deepEqual(factsOf(input).budgets, [])
  assert.doesNotMatch(renderMarkdown(input), /Budgets/)
})
