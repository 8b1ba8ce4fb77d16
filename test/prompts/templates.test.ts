import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import { formatProblem } from '../../src/problem.ts'
import { TEMPLATE_NAMES, Templates } from '../../src/prompts/templates.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'

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

function templateText(name: string): string {
  return readFileSync(new URL(`../../src/prompts/templates/${name}.md`, import.meta.url), 'utf8')
}

test('a planner goes from the objective over decisions to tasks: the plan it is shown is sound and names them', () => {
  const [, plan = ''] = /```yaml\n([\s\S]*?)```/.exec(templateText('plan')) ?? []
  const read = readPlan(plan, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok, JSON.stringify(read))
  const [first] = read.value.plan.tasks
  assert.match(first?.decisions?.[0] ?? '', /^Accounts live in our own database/)
  assert.match(templateText('plan'), /the objective to the decisions it needs, and from each decision to the tasks/)
})

test('agents are asked to commit often, and to look at edge cases and the console of a user interface', () => {
  for (const asked of [
    /Commit often/,
    /edge cases/,
    /user interface, use it, and look for errors and warnings in its console/,
  ])
    assert.match(templateText('guidelines'), asked)
})
