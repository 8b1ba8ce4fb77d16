import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMermaid } from '../../src/reports/mermaid.ts'
import { planSummary } from '../../src/reports/plan-summary.ts'
import { documentInMarkdown } from '../../src/reports/sections/section.ts'
import { simulationSummary } from '../../src/reports/simulation.ts'
import { TASK_STATUSES } from '../../src/status.ts'
import type { Plan } from '../../src/task.ts'
import { planOverview } from '../../src/workloads/analysis/overview.ts'
import { simulatePlan } from '../../src/workloads/analysis/simulate.ts'
import { makePlan, type TaskDraft } from '../rig/plan.ts'
import { HOSTILE, planOf, taskOf, viewOf } from './sample.ts'

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

function simulated(plan: Plan, counts: number[] | null = null) {
  const simulation = simulatePlan(plan, RULES, counts)
  return simulationSummary({ plan, simulation, words: ['Times: guessed.'] }, 0)
}

test('the summary of a plan has its batches and waves, its claims and what will never be done', () => {
  const { title, sections } = summaryOf(shop())
  assert.equal(title, '5 tasks of 1 epic in 4 batches')
  const text = documentInMarkdown({ title: 'Plan', words: [], sections })
  assert.match(text, /## Critical path\n\n.*\n\n.*\n\n- `schema` 2m 00s → `api` 5m 00s/)
  assert.match(text, /`web` by `api`: `src\/Do it/)
  assert.match(text, /## Never at the same time[^#]*\| `api`, `web` \| `src/)
  assert.ok(text.includes('/etc/Do it is outside of the repository'))
})

test('the summary of a plan that is done says so', () => {
  const { title, detail } = summaryOf(makePlan([]), 7)
  assert.deepEqual([title, detail], ['Nothing is left to do', 'All of its 7 tasks are done.'])
})

test('the summary of a simulation has a row for every number of workers, and the critical path', () => {
  const { title, figures, sections } = simulated(shop())
  assert.equal(title, '1 worker is enough')
  assert.deepEqual(
    figures.map(([label, value]) => `${label}: ${value}`),
    ['With 1 worker: 10m 00s', 'At best: 10m 00s', 'Cost: about $0.50'],
  )
  assert.deepEqual(
    sections.map((section) => section.title),
    ['Time and workers', 'Critical path', 'Where the figures come from'],
  )
  assert.deepEqual(
    sections[0]?.rows?.map(([workers]) => String(workers).replace(' (enough)', '')),
    ['1', '2', '4', '8'],
  )
  const one = simulated(shop(), [3])
  assert.equal(one.sections[0]?.rows?.length, 1)
  const none = simulated(makePlan([]))
  assert.deepEqual([none.title, none.sections], ['Nothing is left to do', []])
})

test('10,000 tasks give a summary that a browser opens', () => {
  const drafts = Array.from({ length: 10_000 }, (_, n) => ({
    id: `t${n}`,
    title: `Do the work of t${n}`,
    needs: n < 100 ? [] : [`t${n - 100}`],
    claims: { write: [`src/${n % 50}/**`], read: [] },
    estimateMs: MINUTE,
  }))
  const plan = makePlan(drafts)
  assert.ok(JSON.stringify(summaryOf(plan)).length < 8_000_000)
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

test('Mermaid: labels have a contrast of at least 4.5 to 1', () => {
  const tasks = TASK_STATUSES.map((status) => taskOf({ id: status, status }))
  const text = renderMermaid(planOf(tasks), viewOf(tasks))
  const classes = [...text.matchAll(/classDef \w+ fill:(#\w+),stroke:#\w+,color:(#\w+)/g)]
  assert.equal(classes.length, 6)
  for (const [line, fill = '', ink = ''] of classes) {
    const [light = 0, dark = 0] = [luminance(fill), luminance(ink)].sort((a, b) => b - a)
    assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, line)
  }
})

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
