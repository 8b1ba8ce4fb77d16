import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMermaid } from '../../../src/reports/drawings/mermaid.ts'
import { planSummary } from '../../../src/reports/plan-summary.ts'
import { sectionInMarkdown } from '../../../src/reports/sections/section.ts'
import { renderSimulationHtml } from '../../../src/reports/simulation.ts'
import type { Plan } from '../../../src/task.ts'
import { planOverview } from '../../../src/workloads/analysis/overview.ts'
import { simulatedSchedule, simulatePlan } from '../../../src/workloads/analysis/simulate.ts'
import { makePlan, type TaskDraft } from '../../rig/plan.ts'
import { assertLoadsNothing, assertPolicy, assertSound, HOSTILE, nameOf, tags } from '../page-checks.ts'

const MINUTE = 60_000
const RULES = { maxPerEpic: null, budgetUsd: null }

function shop(words = 'Do it'): Plan {
  const claims = { write: [`src/${words}`], read: [`docs/${words}`] }
  const drafts: TaskDraft[] = [
    { id: 'schema', title: words, epic: 'base', estimateMs: 2 * MINUTE, estimateUsd: 0.5 },
    { id: 'api', title: words, needs: ['schema'], estimateMs: 5 * MINUTE, claims },
    { id: 'web', title: words, needs: ['schema'], estimateMs: 3 * MINUTE, claims },
    { id: 'end', title: words, needs: ['api'], after: ['web'], outside: [`/etc/${words}`] },
    { id: 'notes', title: words, needs: ['end'] },
  ]
  const plan = makePlan(drafts, 'true', words === 'Do it' ? 'shop' : words)
  return { ...plan, objective: words, epics: [{ id: 'base', title: words, needs: [] }] }
}

function summaryOf(plan: Plan, done = 0) {
  return planSummary(plan, planOverview(plan, 3), done, 0)
}

function simulationPage(plan: Plan, counts: number[] | null = null): string {
  const simulation = simulatePlan(plan, RULES, counts)
  const workers = simulation.enough ?? 8
  const schedule = simulatedSchedule(plan, RULES, workers)
  return renderSimulationHtml({ plan, simulation, workers, schedule, words: ['Times: guessed.', plan.name] })
}

const pages: [string, () => string][] = [
  ['a simulation', () => simulationPage(shop())],
  ['a simulation of hostile words', () => simulationPage(shop(HOSTILE))],
  ['a simulation with one number of workers', () => simulationPage(shop(), [3])],
  ['a simulation without tasks', () => simulationPage(makePlan([]))],
]
for (const [name, render] of pages) {
  test(`${name}: a sound page that loads nothing and runs nothing`, () => {
    const page = render()
    assertSound(page)
    assertLoadsNothing(page)
    assertPolicy(page)
  })
}

test('hostile words stay text', () => {
  const known = new Set(tags(simulationPage(shop())).map(nameOf))
  const page = simulationPage(shop(HOSTILE))
  for (const tag of tags(page)) assert.ok(known.has(nameOf(tag)), tag)
  for (const character of ['\u202e', '\u001b', '\u0000']) assert.ok(!page.includes(character))
  assert.ok(page.includes('&lt;/script&gt;'))
})

test('the summary of a plan has its batches and waves, its claims and what will never be done', () => {
  const { title, sections } = summaryOf(shop())
  assert.equal(title, '5 tasks of 1 epic in 4 batches')
  const text = sections.map(sectionInMarkdown).join('\n')
  assert.match(text, /## Critical path\n\n.*\n\n.*\n\n- `schema` 2m 00s → `api` 5m 00s/)
  assert.match(text, /`web` by `api`: `src\/Do it/)
  assert.match(text, /## Never at the same time[^#]*\| `api`, `web` \| `src/)
  assert.ok(text.includes('it names /etc/Do it, which is outside of the repository'))
})

test('the summary of a plan that is done says so', () => {
  const { title, detail } = summaryOf(makePlan([]), 7)
  assert.deepEqual([title, detail], ['Nothing is left to do', 'All of its 7 tasks are done.'])
})

test('the page of a simulation has a row for every number of workers, and bars for every task', () => {
  const page = simulationPage(shop())
  const [, rows = ''] = page.split('<h2>Time and workers</h2>')
  assert.deepEqual(
    [...rows.matchAll(/<tr><td class="nw">(\d+)/g)].map(([, workers]) => workers),
    ['1', '2', '4', '8'],
  )
  assert.match(rows, /<td class="nw">\d \(enough\)<\/td>/)
  assert.match(page, /<title>api: from 2m 00s to 7m 00s<\/title>/)
})

test('10,000 tasks give pages that a browser opens', () => {
  const drafts = Array.from({ length: 10_000 }, (_, n) => ({
    id: `t${n}`,
    title: `Do the work of t${n}`,
    needs: n < 100 ? [] : [`t${n - 100}`],
    claims: { write: [`src/${n % 50}/**`], read: [] },
    estimateMs: MINUTE,
  }))
  const plan = makePlan(drafts)
  assert.ok(JSON.stringify(summaryOf(plan)).length < 8_000_000)
  const part = { ...plan, tasks: plan.tasks.slice(0, 1_000) }
  assert.ok(simulationPage(part, [4]).length < 400_000)
})

test('Mermaid: hostile titles stay labels, and the critical path is heavy', () => {
  const plan = shop(`"]; click t0 "javascript:x" --> <b>${HOSTILE}`)
  const text = renderMermaid(plan, undefined, ['schema', 'api'])
  for (const line of text.trimEnd().split('\n')) {
    assert.match(
      line,
      /^(flowchart LR| {2}subgraph e\d+\["[^"<>[\]]*"\]| {2}end| {2,4}t\d+\["[^"<>[\]]*(<br\/>[^"<>[\]]*)?"\]| {2}t\d+ (-->|-\.->) t\d+| {2}classDef critical stroke-width:4px| {2}class [t\d,]+ critical)$/,
    )
  }
  assert.ok(text.endsWith('  class t0,t1 critical\n'))
})
