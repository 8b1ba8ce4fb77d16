// What a report says of models, estimates and lessons.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factsOf, type ReportInput } from '../../../src/reports/facts/run.ts'
import { renderMarkdown } from '../../../src/reports/markdown.ts'
import { NO_USAGE } from '../../../src/usage.ts'
import type { AttemptView } from '../../../src/view.ts'
import { CHOICE } from '../../cli/sample-run.ts'
import { lessonOf } from '../../learning/sample.ts'
import { planOf, START, taskOf, viewOf } from '../sample.ts'

const NASTY = '<b>x|y'

function paid(costUsd: number, ms: number, more: Partial<AttemptView> = {}): Partial<AttemptView> {
  return { usage: { ...NO_USAGE, outputTokens: 1_000_000, costUsd }, finishedAt: START + ms, ...more }
}

function inputOf(tasks: Parameters<typeof taskOf>[0][], more: Partial<ReportInput> = {}): ReportInput {
  return { view: viewOf(tasks.map(taskOf)), plan: planOf(tasks), logTails: {}, generatedAt: START, ...more }
}

/** A section of the Markdown, without its heading. */
function section(text: string, title: string): string[] {
  const [, after = ''] = text.split(`## ${title}\n\n`)
  return (after.split('\n\n## ')[0] ?? '').split('\n').filter((one) => one !== '')
}

test('models: what was chosen and why, what was expected and what came of it, what was saved', () => {
  const failure = { reason: 'verify-failed', message: 'no' } as const
  const dearestPrice = { input: 0, output: 1.5, cacheRead: 0, cacheWrite: 0 }
  const first = paid(0.25, 1, { choice: { ...CHOICE, why: NASTY }, outcome: 'failed', failure })
  const input = inputOf([
    { id: 'a', history: [first, paid(0.5, 1, { choice: { ...CHOICE, model: 'sonnet', tier: 2, dearestPrice } })] },
    { id: 'b', history: [{ choice: CHOICE, finishedAt: null, outcome: null }], status: 'running' },
  ])
  assert.deepEqual(factsOf(input).models.saved, { tasks: 1, costUsd: 0.75, dearestUsd: 1.5, savedUsd: 0.75 })
  const text = renderMarkdown(input)
  assert.deepEqual(section(text, 'Models'), [
    '1 task cost $0.75. With the dearest model for each, at its first try, it would probably have been $1.50: about $0.75 saved.',
    '| Task | Model | Success expected | Came out | Cost expected | Cost | Why |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| a/1 | claude-haiku-4-5 (1 of 3) | 90% | failed | $0.10 | $0.25 | &lt;b&gt;x\\|y |',
    '| a/2 | sonnet (2 of 3) | 90% | succeeded | $0.10 | $0.50 | general, complexity 0.20 |',
    '| b/1 | claude-haiku-4-5 (1 of 3) | 90% | running | $0.10 |  | general, complexity 0.20 |',
  ])
})

test('estimates: of tasks that succeeded, those that were furthest off first', () => {
  const given = [
    { id: 'a', history: [paid(1, 10_000)] },
    { id: 'b', history: [paid(9, 500, { outcome: 'failed' }), paid(2, 40_000)] },
    { id: 'c', history: [paid(1, 7)], status: 'failed' as const },
    { id: 'd', history: [paid(1, 7)] },
  ]
  const input = inputOf(given)
  const [a, b, c] = input.plan.tasks
  assert.ok(a && b && c)
  Object.assign(a, { estimateMs: 9_000 })
  Object.assign(b, { estimateMs: 20_000, estimateUsd: 3 })
  Object.assign(c, { estimateMs: 1 })
  const { estimates } = factsOf(input)
  assert.equal(estimates.tasks.length, 2)
  assert.deepEqual([estimates.timeFactor?.toFixed(3), estimates.costFactor?.toFixed(3)], ['1.491', '1.500'])
  assert.deepEqual(section(renderMarkdown(input), 'Estimates'), [
    'Estimates come from the plan, or else from earlier runs of the same task or of similar ones.',
    '| Task | Time expected | Time | Cost expected | Cost |',
    '| --- | --- | --- | --- | --- |',
    '| b | 20s | 40s | $3.00 | $2.00 |',
    '| a | 9.0s | 10s |  | $1.00 |',
  ])
})

test('estimates: how far off they were on average is said of several tasks, too long and too short by the same measure', () => {
  const words = (estimateMs: number, count: number) => {
    const input = inputOf(Array.from({ length: count }, (_, n) => ({ id: `t${n}`, history: [paid(0, 10_000)] })))
    for (const task of input.plan.tasks) task.estimateMs = estimateMs
    return section(renderMarkdown(input), 'Estimates')[1]?.match(/off by a factor of (.*)\.$/)?.[1]
  }
  assert.deepEqual(
    [words(9_000, 3), words(100_000, 3), words(1_000, 3), words(0, 3), words(100_000, 2)],
    ['1.1 (time)', '10.0 (time)', '10.0 (time)', undefined, undefined],
  )
})

test('what was spent and expected comes after the tasks, the ten of each that matter most', () => {
  const input = inputOf(Array.from({ length: 40 }, (_, n) => ({ id: `t${n}`, history: [paid(1 + n, 10_000)] })))
  for (const task of input.plan.tasks) task.estimateMs = 9_000
  const text = renderMarkdown(input)
  for (const title of ['Spending', 'Estimates']) {
    const ids = section(text, title).filter((row) => /\| t\d+ \|/.test(row))
    assert.equal(ids.length, 10, title)
    assert.ok(section(text, title).includes('And 30 more; the JSON report has all of them.'), title)
    assert.ok(text.indexOf(`## ${title}`) > text.indexOf('## Tasks'), title)
  }
})

test('lessons come after the tasks, the best five of them', () => {
  const learned = Array.from({ length: 27 }, (_, n) => lessonOf({ id: `l${n}`, confidence: n / 27 }))
  const input = inputOf([{ id: 'a', history: [paid(1, 1)] }], { learned })
  const text = renderMarkdown(input)
  const ids = section(text, 'What was learned').flatMap((row) => row.match(/(l\d+) \|$/)?.[1] ?? [])
  assert.deepEqual(ids, ['l26', 'l25', 'l24', 'l23', 'l22'])
  assert.match(text, /And 22 more; the JSON report has all of them\./)
  assert.ok(text.indexOf('## What was learned') > text.indexOf('## Tasks'))
})

test('what was learned: the lessons of the run, the most trusted first', () => {
  const learned = [
    lessonOf({ id: '1', text: NASTY, confidence: 0.4 }),
    lessonOf({ id: '2', text: NASTY, confidence: 0.7, seen: 3 }),
  ]
  const input = inputOf([{ id: 'a' }], { learned })
  assert.deepEqual(section(renderMarkdown(input), 'What was learned'), [
    '2 lessons learned or seen again. All lessons: espalier expertise list',
    '| Lesson | Seen | Confidence | Domain | Id |',
    '| --- | --- | --- | --- | --- |',
    '| &lt;b&gt;x\\|y | 3× | 70% | api | 2 |',
    '| &lt;b&gt;x\\|y | new | 40% | api | 1 |',
  ])
})

test('long lists are cut, and say so', () => {
  const ids = Array.from({ length: 60 }, (_, n) => `t${n}`)
  const input = inputOf(ids.map((id) => ({ id, history: [paid(1, 1, { choice: CHOICE })] })))
  for (const task of input.plan.tasks) task.estimateMs = 5
  const text = renderMarkdown(input)
  assert.equal(section(text, 'Models').at(-1), 'And 10 more; the JSON report has all of them.')
  assert.equal(section(text, 'Estimates').at(-1), 'And 50 more; the JSON report has all of them.')
})

test('where there is nothing to tell there is no section', () => {
  const text = renderMarkdown(inputOf([{ id: 'a', history: [paid(1, 1)] }]))
  for (const title of ['Models', 'Estimates', 'What was learned']) assert.ok(!text.includes(`## ${title}`), title)
})
