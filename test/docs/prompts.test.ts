// The page about prompts: its tables name what the code has, and its example is what an agent would be told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS, LIMITS, resolveSettings } from '../../src/config.ts'
import { limitsOf } from '../../src/engine/open/limits.ts'
import { promptFacts } from '../../src/engine/run/make-attempt-order.ts'
import { taskPrompt } from '../../src/prompts/task-prompt.ts'
import { TEMPLATE_NAMES, Templates } from '../../src/prompts/templates.ts'
import { emptyState } from '../../src/scheduler/state.ts'
import { readPlan } from '../../src/workloads/plan/read.ts'
import { makeTemplates } from '../prompts/facts.ts'
import { blocksOf, coded, namesIn, pageText, tableOf } from './pages.ts'

const PAGE = 'docs/prompts.md'

test('the templates and their variables are those of the code, in its order', () => {
  assert.deepEqual(
    namesIn(PAGE, 'Your own words', 'template').sort(),
    TEMPLATE_NAMES.map((name) => `${name}.md`).sort(),
  )
  const documented: Record<string, string[]> = {}
  let template = ''
  for (const [where = '', names = ''] of tableOf(PAGE, 'Variables', 'in')) {
    template = coded(where)[0]?.replace('.md', '') ?? template
    documented[template] = [...(documented[template] ?? []), ...coded(names)]
  }
  const known = TEMPLATE_NAMES.map((name) => {
    const read = Templates.of({ [name]: { file: name, text: '{{nothing_of_that_name}}' } })
    assert.ok(!read.ok)
    return [name, read.problems[0]?.message.split(', only ')[1]?.split(', ')]
  })
  assert.deepEqual(documented, Object.fromEntries(known))
})

test('the example is what an agent is told', () => {
  const [plan, told] = ['yaml', 'text'].map((info) => blocksOf(PAGE).find((block) => block.info === info)?.text ?? '')
  const read = readPlan(plan ?? '', 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok)
  const { settings } = resolveSettings([{ from: 'plan', settings: read.value.settings }])
  const state = emptyState(read.value.plan, limitsOf(settings))
  const facts = promptFacts({ plan: read.value.plan, state, settings, planFiles: [] }, 1)
  const [schema] = facts.needs.listed
  assert.ok(schema)
  const landed = {
    ...schema,
    summary: 'Created users and orders; ids are UUIDs.',
    touched: { paths: ['db/schema.sql'], count: 1 },
    commit: '9ff51cb1d2a74c3f',
  }
  const needs = { listed: [landed], count: 1 }
  assert.equal(taskPrompt(makeTemplates(), { ...facts, expertise: [], needs, earlier: null, conflict: null }), told)
})

test('the limits are those of the code', () => {
  const [, text = ''] = pageText(PAGE).split('## Limits')
  const { promptNeeds, promptNeedFiles, promptLines, promptChars, templateBytes } = LIMITS
  for (const said of [
    `${promptNeeds} tasks`,
    `${promptNeedFiles} files each`,
    `${promptLines} entries`,
    `${promptChars / 1_000},000 characters in all`,
    `${templateBytes / 1_024} kB`,
  ])
    assert.ok(text.includes(said), said)
})
