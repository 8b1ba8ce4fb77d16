import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

const HEAD = 'resources: {gpu: 2, port: {count: 100, env: {PORT: "30{index}"}}}\n'

function read(text: string) {
  return readPlan(text, 'plan.yaml', DEFAULT_SETTINGS)
}

function problems(text: string): string[] {
  const result = read(text)
  return result.ok ? [] : result.problems.map(formatProblem)
}

test('resources become counts with their variables; a task says what it uses, else the defaults do', () => {
  const result = read(
    `${HEAD}defaults: {uses: {port: 1}}\ntasks:\n- {id: a, run: x, uses: {gpu: 2}}\n- {id: b, run: x}\n- {id: c, run: x, uses: {}}\n`,
  )
  assert.ok(result.ok)
  const { plan } = result.value
  assert.deepEqual(plan.resources, { gpu: { count: 2 }, port: { count: 100, env: { PORT: '30{index}' } } })
  assert.deepEqual(
    plan.tasks.map(({ uses }) => uses),
    [{ gpu: 2 }, { port: 1 }, undefined],
  )
})

test('what is not there, or not enough, is named with its place', () => {
  assert.deepEqual(problems(`${HEAD}tasks:\n- {id: a, run: x, uses: {gpus: 1}}\n- {id: b, run: x, uses: {gpu: 3}}\n`), [
    'plan.yaml:3:26: there is no `gpus` in `resources`; did you mean `gpu`?',
    'plan.yaml:4:31: 3 of `gpu` are more than the 2 there are',
  ])
  assert.deepEqual(problems('defaults: {uses: {db: 1}}\ntasks:\n- {id: a, run: x}\n'), [
    'plan.yaml:1:19: there is no `db` in `resources`',
  ])
  assert.match(problems('resources: {GPU: 1}\ntasks:\n- {id: a, run: x}\n')[0] ?? '', /`GPU` cannot name a resource/)
  assert.deepEqual(problems('resources: {a: {env: {X: 1}}}\ntasks: [{id: t, run: x, uses: {a: 1}}]\n'), [
    'plan.yaml:1:16: `count` is missing',
  ])
  assert.match(problems('resources: {gpu: 0}\ntasks:\n- {id: a, run: x}\n')[0] ?? '', /at least 1/)
})
