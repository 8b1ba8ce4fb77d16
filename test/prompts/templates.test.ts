import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { formatProblem } from '../../src/problem.ts'
import { TEMPLATE_NAMES, Templates } from '../../src/prompts/templates.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'
import { makeTemplates } from './facts.ts'

test('Espalier comes with a template of every name, and with no other', () => {
  const files = readdirSync(new URL('../../src/prompts/templates', import.meta.url))
  assert.deepEqual(files.sort(), TEMPLATE_NAMES.map((name) => `${name}.md`).sort())
  assert.ok(Templates.of().ok)
})

test('one that would not tell an agent its task is refused, and every problem is told at once', () => {
  const templates = Templates.of({
    task: { file: 'p/task.md', text: '{{#prompt}}Do it.{{/prompt}}' },
    'follow-up': { file: 'p/follow-up.md', text: 'Go on: {{message}}' },
    need: { file: 'p/need.md', text: '{{prompt}}\n{{name}}' },
  })
  assert.ok(!templates.ok)
  const told = templates.problems.map(formatProblem).sort()
  assert.equal(told.length, 4)
  assert.match(told[0] ?? '', /^p\/follow-up\.md: it does not put in `{{first}}`/)
  assert.match(told[1] ?? '', /^p\/need\.md:1: there is no variable `prompt`/)
  assert.match(told[2] ?? '', /^p\/need\.md:2: there is no variable `name`/)
  assert.match(told[3] ?? '', /^p\/task\.md: it does not put in `{{prompt}}`/)
})

test('every task of the plan that a planner is shown has a decision behind it; those of a plan that is there need none', () => {
  const templates = makeTemplates()
  const facts = { objective: 'Accounts', files: '', file: 'plan.yaml', check: 'espalier plan check plan.yaml' }
  const prompt = templates.fill('plan', facts)
  const [, plan = ''] = /```yaml\n([\s\S]*?)```/.exec(prompt) ?? []
  const read = readPlan(plan, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok, JSON.stringify(read))
  for (const { id, decisions } of read.value.plan.tasks) assert.ok(decisions?.length, id)
  const rule = /names the decisions behind it/
  assert.match(prompt, rule)
  assert.doesNotMatch(templates.fill('plan', { ...facts, files: '# Tasks' }), rule)
})
