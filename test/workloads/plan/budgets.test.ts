import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'
import { readSettings, settingsFromEnv } from '../../../src/workloads/settings/read.ts'

function read(text: string) {
  return readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
}

function problemsOf(text: string): string[] {
  const found = read(text)
  return found.ok ? [] : found.problems.map(({ message }) => message)
}

test('budgets of the run, of an epic and of tasks', () => {
  const found = read(`
budgetUsd: 20
defaults: { budgetUsd: 4 }
epics: [{ id: api, budgetUsd: 12.5 }]
tasks:
  - { id: a, run: 'true', epic: api, estimateUsd: 1.5 }
  - { id: b, run: 'true', budgetUsd: 9 }
`)
  assert.ok(found.ok)
  const { plan, settings, warnings } = found.value
  assert.deepEqual(warnings, [])
  assert.equal(settings.budgetUsd, 20)
  assert.equal(plan.epics[0]?.budgetUsd, 12.5)
  assert.deepEqual(
    plan.tasks.map(({ budgetUsd, estimateUsd }) => [budgetUsd, estimateUsd]),
    [
      [4, 1.5],
      [9, undefined],
    ],
  )
})

test('a plan without budgets says nothing of them', () => {
  const found = read(`tasks: [{ id: a, run: 'true' }]`)
  assert.ok(found.ok)
  assert.equal('budgetUsd' in (found.value.plan.tasks[0] ?? {}), false)
  assert.equal('budgetUsd' in found.value.settings, false)
})

test('a budget of nothing, and a task that could never start, are mistakes', () => {
  assert.match(problemsOf(`{ budgetUsd: 0, tasks: [{ id: a, run: 'true' }] }`)[0] ?? '', /budgetUsd.*more than 0/)
  const [message] = problemsOf(`tasks: [{ id: a, run: 'true', budgetUsd: 1, estimateUsd: 2 }]`)
  assert.match(message ?? '', /task `a` .*would never start/)
})

test('a task that the budget of its epic or of the plan can never pay for is warned of', () => {
  const warned = (text: string, overrule = {}) => {
    const found = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS, { overrule })
    assert.ok(found.ok)
    return found.value.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)
  }
  const plan = (budgets: { run: number; epic: number }) => `
budgetUsd: ${budgets.run}
epics:
  - id: api
    budgetUsd: ${budgets.epic}
tasks:
  - { id: a, run: 'true', epic: api, estimateUsd: 1 }
  - { id: b, run: 'true', epic: api, estimateUsd: 5 }
  - { id: c, run: 'true', epic: api, estimateUsd: 6 }
  - { id: d, run: 'true', estimateUsd: 7 }
  - { id: e, run: 'true' }
`
  assert.deepEqual(warned(plan({ run: 7, epic: 6 })), [])
  assert.deepEqual(warned(plan({ run: 7, epic: 2 })), [
    '8:5 task `b` would never start: it would cost about $5.00, and its budget is $2.00',
    '9:5 task `c` would never start: it would cost about $6.00, and its budget is $2.00',
  ])
  const ofRun = '10:5 task `d` would never start: it would cost about $7.00, and its budget is $6.50'
  assert.deepEqual(warned(plan({ run: 6.5, epic: 6 })), [ofRun])
  assert.deepEqual(warned(plan({ run: 6.5, epic: 6 }), { budgetUsd: 9 }), [], 'a flag says otherwise')
})

test('settings: the budget, what happens then, and prices', () => {
  const found = readSettings('budgetUsd: 5\nonBudget: stop\nprices: { my-model: { input: 1, output: 2 } }\n', 'c.yaml')
  assert.deepEqual(found, {
    ok: true,
    value: { budgetUsd: 5, onBudget: 'stop', prices: { 'my-model': { input: 1, output: 2 } } },
  })
  assert.equal(readSettings('prices: { my-model: { input: -1, output: 2 } }\n', 'c.yaml').ok, false)
})

test('the environment can set it, and take it away', () => {
  assert.deepEqual(settingsFromEnv({ ESPALIER_BUDGET_USD: '7.5', ESPALIER_ON_BUDGET: 'stop' }), {
    ok: true,
    value: { budgetUsd: 7.5, onBudget: 'stop' },
  })
  assert.deepEqual(settingsFromEnv({ ESPALIER_BUDGET_USD: 'none' }), { ok: true, value: { budgetUsd: null } })
  assert.equal(settingsFromEnv({ ESPALIER_BUDGET_USD: 'much' }).ok, false)
})
