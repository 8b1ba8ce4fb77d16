import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf } from '../../../src/reports/facts/run.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { summaryOf } from '../../../src/reports/summary.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import { planOf, START, sampleInput, taskOf, viewOf } from '../sample.ts'

const NASTY = '<b>x|y'

test('the report says what was spent on what, and what did not land apart', () => {
  const input = sampleInput()
  const { lost, spending } = factsOf(input)
  assert.ok(lost.costUsd > 0)
  assert.equal(spending.run.notLanded.costUsd, lost.costUsd)
  const text = renderMarkdown(input)
  assert.match(text, /## Spending\n\nNot landed: .*\n\n.*\n.*\n\| run \| total \| \$10\.84 \| .* \| \$3\.53 \|\n/)
})

test('where nothing was spent there is no section, and where no price is known tokens are told', () => {
  const input = { plan: planOf([{ id: 'a' }]), logTails: {}, generatedAt: START }
  const view = (usage: typeof NO_USAGE) => viewOf([taskOf({ id: 'a', status: 'failed', history: [{ usage }] })])
  assert.ok(!renderMarkdown({ ...input, view: view(NO_USAGE) }).includes('Spending'))
  const counted = { ...input, view: view({ ...NO_USAGE, inputTokens: 5, outputTokens: 7 }) }
  assert.ok(renderMarkdown(counted).includes('| task | a | $0.00 | 5 tokens in, 7 out | 5 tokens in, 7 out |'))
  const figures = summaryOf(counted).figures
  assert.deepEqual(figures.at(-1), ['Cost, not landed', '$0.00', '5 tokens in, 7 out'])
})

test('what has no price is not shown as free', () => {
  const usage = { ...NO_USAGE, inputTokens: 5, outputTokens: 7, costUnknown: true as const }
  const view = viewOf([
    taskOf({ id: 'a', status: 'failed', history: [{ usage }, { usage: { ...usage, costUsd: 2 } }] }),
  ])
  const input = { plan: planOf([{ id: 'a' }]), logTails: {}, generatedAt: START, view }
  assert.ok(renderMarkdown(input).includes('| task | a | $2.00 + unknown |'))
  assert.equal(summaryOf(input).figures.at(-1)?.[1], '$2.00 + unknown')
})

test('objective and decisions are told, whatever they are written with', () => {
  const plan = planOf([{ id: 'a', epic: 'api' }, { id: 'b' }])
  plan.objective = `Ship ${NASTY}`
  const [epic, [task]] = [plan.epics[0], plan.tasks]
  assert.ok(epic && task)
  epic.decisions = ['ADR-3']
  task.decisions = ['ADR-3', NASTY]
  const input = { view: viewOf([taskOf({ id: 'a' }), taskOf({ id: 'b' })]), plan, logTails: {}, generatedAt: START }
  assert.deepEqual(factsOf(input).purpose.decisions, [
    { decision: 'ADR-3', epics: ['api'], tasks: ['a'] },
    { decision: NASTY, epics: [], tasks: ['a'] },
  ])
  const text = renderMarkdown(input)
  assert.match(text, /^Objective: Ship /m)
  assert.match(text, /## Decisions\n\n- ADR-3: epic api, `a`\n/)
})
