// How long an agent goes on: what a task says, then `defaults`, then the settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

function read(text: string, settings = DEFAULT_SETTINGS) {
  const result = readPlan(text, 'plan.yaml', settings)
  assert.ok(result.ok, JSON.stringify(result))
  const tasks = result.value.plan.tasks.map(({ id, iterations, completion, maxTurns, maxToolCalls, maxRepeats }) => {
    return { id, iterations, completion, maxTurns, maxToolCalls, maxRepeats }
  })
  return { tasks, warnings: result.value.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`) }
}

const NONE = {
  iterations: undefined,
  completion: undefined,
  maxTurns: undefined,
  maxToolCalls: undefined,
  maxRepeats: undefined,
}

test('a task goes before the defaults, and the defaults before the settings', () => {
  const text = `defaults: {iterations: 3, completion: DONE, maxTurns: 50, maxRepeats: 20}
tasks:
  - {id: a, prompt: x}
  - {id: b, prompt: x, iterations: 2, completion: ALL OF IT, maxToolCalls: 9, maxRepeats: 0}
  - {id: c, prompt: x, iterations: 1}
`
  const common = { ...NONE, completion: 'DONE', maxTurns: 50, maxRepeats: 20 }
  assert.deepEqual(read(text).tasks, [
    { ...common, id: 'a', iterations: 3 },
    { id: 'b', iterations: 2, completion: 'ALL OF IT', maxTurns: 50, maxToolCalls: 9, maxRepeats: 0 },
    { ...common, id: 'c' },
  ])
  const plain = 'tasks: [{id: a, prompt: x}]'
  assert.deepEqual(read(plain).tasks, [{ ...NONE, id: 'a' }])
  assert.deepEqual(read(plain, { ...DEFAULT_SETTINGS, iterations: 4 }).tasks, [{ ...NONE, id: 'a', iterations: 4 }])
})

test('a shell command has none of it, and is told so where it asks for it', () => {
  const text = `defaults: {iterations: 3, maxTurns: 5}
tasks:
  - {id: a, run: make}
  - {id: b, run: make, completion: DONE}
`
  const { tasks, warnings } = read(text, { ...DEFAULT_SETTINGS, iterations: 4 })
  assert.deepEqual(tasks, [
    { ...NONE, id: 'a' },
    { ...NONE, id: 'b' },
  ])
  assert.deepEqual(warnings, ['4:24 `completion` changes nothing here: it is for tasks with a `prompt`'])
})

test('numbers without sense are refused', () => {
  const repeats = ['maxRepeats: 1', 'maxRepeats: -1', 'maxRepeats: 2.5']
  const others = ['iterations: 0', 'iterations: 51', 'maxTurns: 0', 'maxToolCalls: 1.5', 'completion: " "']
  for (const field of [...repeats, ...others])
    assert.equal(readPlan(`tasks: [{id: a, prompt: x, ${field}}]`, 'plan.yaml', DEFAULT_SETTINGS).ok, false, field)
})
