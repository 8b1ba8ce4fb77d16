import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

function tasksOf(text: string) {
  const read = readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok, JSON.stringify(read))
  assert.deepEqual(read.value.warnings, [])
  return read.value.plan.tasks.map(({ protected: kept, unprotected }) => ({ kept, unprotected }))
}

test('what a task protects is added to what the plan protects, and goes before the defaults', () => {
  const text = `
protected: [./db/, "*.lock"]
defaults: {protected: [docs]}
tasks:
  - {id: a, run: "true"}
  - {id: b, run: "true", protected: [src/**, db], unprotected: [db/new.sql]}
`
  assert.deepEqual(tasksOf(text), [
    { kept: ['db', '*.lock', 'docs'], unprotected: undefined },
    { kept: ['db', '*.lock', 'src/**'], unprotected: ['db/new.sql'] },
  ])
})

test('an empty list protects nothing', () => {
  assert.deepEqual(tasksOf('protected: []\ntasks: [{id: a, run: "true"}]'), [
    { kept: undefined, unprotected: undefined },
  ])
})

test('how landings look is checked', () => {
  const plan = (landing: string) =>
    readPlan(`landing: ${landing}\ntasks: [{id: a, run: "true"}]`, 'p.yaml', DEFAULT_SETTINGS)
  const read = plan('{merge: squash, signoff: true}')
  assert.ok(read.ok)
  assert.deepEqual(read.value.settings.landing, { merge: 'squash', signoff: true })
  assert.ok(!plan('{merge: octopus}').ok)
})
