import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMermaid } from '../../../src/reports/drawings/mermaid.ts'
import { renderPlanHtml } from '../../../src/reports/html/plan.ts'
import { renderSimulationHtml } from '../../../src/reports/html/simulation.ts'
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

function planPage(plan: Plan): string {
  return renderPlanHtml(plan, planOverview(plan, 3))
}

function simulationPage(plan: Plan, counts: number[] | null = null): string {
  const simulation = simulatePlan(plan, RULES, counts)
  const workers = simulation.enough ?? 8
  const schedule = simulatedSchedule(plan, RULES, workers)
  return renderSimulationHtml({ plan, simulation, workers, schedule, words: ['Times: guessed.', plan.name] })
}

const pages: [string, () => string][] = [
  ['a plan', () => planPage(shop())],
  ['a plan of hostile words', () => planPage(shop(HOSTILE))],
  ['a plan without tasks', () => planPage(makePlan([]))],
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
  for (const render of [planPage, simulationPage]) {
    const known = new Set(tags(render(shop())).map(nameOf))
    const page = render(shop(HOSTILE))
    for (const tag of tags(page)) assert.ok(known.has(nameOf(tag)), tag)
    for (const character of ['\u202e', '\u001b', '\u0000']) assert.ok(!page.includes(character))
    assert.ok(page.includes('&lt;/script&gt;'))
  }
})

test('the page of a plan has its graph, its batches and waves, its claims and what will never be done', () => {
  const page = planPage(shop())
  assert.ok(page.includes('<h1>5 tasks of 1 epic in 4 batches</h1>'))
  assert.equal(page.match(/<a href="#t-[a-z]+"><svg/g)?.length, 5)
  assert.ok(page.includes('The heavy line is the critical path: 4 tasks.'))
  assert.match(page, /web<\/a> by <a[^>]*>api<\/a>: <code>src\/Do it/)
  assert.match(page, /<h2>Never at the same time<.*<a[^>]*>api<\/a>, <a[^>]*>web<\/a><\/td><td class="long"><code>src/)
  assert.ok(page.includes('it names /etc/Do it, which is outside of the repository'))
})

test('code in backticks is shown as code', () => {
  const page = planPage(shop('Add `src/<a>.ts` and ` more'))
  assert.ok(page.includes('<td class="nw">Add <code>src/&lt;a&gt;.ts</code> and &#96; more</td>'))
  assert.ok(page.includes('<p>Add <code>src/&lt;a&gt;.ts</code> and &#96; more</p>'), 'the objective')
  const cut = planPage(shop(`Add \`export const x = ${'1 + '.repeat(100)}1\``))
  assert.match(cut, /<td class="long">Add <code>export const x = [1+ ]+…<\/code><\/td>/)
})

test('the page of a plan that is done says so', () => {
  const plan = makePlan([])
  const page = renderPlanHtml(plan, planOverview(plan, 3), 7)
  assert.ok(page.includes('<h1>Nothing is left to do</h1><p>All of its 7 tasks are done.</p>'))
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
  const page = planPage(plan)
  assert.ok(page.length < 8_000_000, `${page.length}`)
  assert.equal(page.match(/ id="t-t\d/g)?.length, 10_000)
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
