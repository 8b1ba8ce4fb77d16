import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderHtml } from '../../../src/reports/html/report.ts'
import { DARK, LIGHT, type Palette } from '../../../src/reports/html/style.ts'
import { processorMs } from '../../rig/processor-time.ts'
import { assertLoadsNothing, assertPolicy, assertSound, HOSTILE, nameOf, tags } from '../page-checks.ts'
import { largeInput, planOf, runningInput, START, sampleInput, taskOf, viewOf } from '../sample.ts'

test('the verdict, the figures, the failure and the next commands are in the page', () => {
  const page = renderHtml(sampleInput())
  for (const text of ['11 of 15 tasks succeeded', '29m 32s', '48m 46s', '1.65 ×', '28m 40s', '$10.84']) {
    assert.ok(page.includes(text), text)
  }
  assert.ok(page.includes('<code>espalier logs payments --run checkout-7k3f</code>'))
  assert.ok(page.includes('1999 !== 2000'))
  assert.ok(!page.includes('\u001b'))
})

test('every task has its section, every attempt its bar, every landing its tick', () => {
  const { view } = sampleInput()
  const page = renderHtml(sampleInput())
  for (const task of view.tasks) assert.ok(page.includes(`<details class="k" id="t-${task.id}"`), task.id)
  assert.equal(page.match(/<rect class="b /g)?.length, 15)
  assert.equal(page.match(/<line class="tick/g)?.length, 10)
})

test('the details of a task name the work of it that is not on the branch', () => {
  const page = renderHtml(sampleInput())
  const details = /id="t-payments"[\s\S]*?<\/details>/.exec(page)?.[0] ?? ''
  assert.match(
    details,
    /<dt>Kept work<\/dt><dd>.*<code>git show refs\/espalier\/checkout-7k3f\/failed\/payments\/2<\/code>/,
  )
})

test('nothing is loaded from anywhere', () => {
  for (const input of [sampleInput(), runningInput(), largeInput(1_000), hostile()]) {
    assertLoadsNothing(renderHtml(input))
  }
})

test('the page is sound', () => {
  for (const input of [sampleInput(), runningInput(), hostile()]) assertSound(renderHtml(input))
})

test('the policy of the page allows its own script and no other', () => {
  assertPolicy(renderHtml(hostile()))
})

test('whatever agents write stays text', () => {
  const page = renderHtml(hostile())
  const known = new Set(tags(renderHtml(sampleInput())).map(nameOf))
  for (const tag of tags(page)) assert.ok(known.has(nameOf(tag)), tag)
  assert.ok(!/<img|<svg onload/i.test(page))
  for (const character of ['\u202e', '\u001b', '\u0000']) assert.ok(!page.includes(character))
  assert.ok(page.includes('&lt;/script&gt;'))
})

test('an empty run says so', () => {
  const page = renderHtml({ view: viewOf([]), plan: planOf([]), logTails: {}, generatedAt: START })
  assert.ok(page.includes('Nothing to do') && !/NaN|Infinity|undefined/.test(page))
})

test('a run in which everything failed says so and offers nothing to land', () => {
  const input = largeInput(30, 3, 1)
  const page = renderHtml(input)
  assert.ok(page.includes('<h1>Nothing landed</h1>') && !page.includes('espalier land'))
  assert.ok(!/NaN|Infinity|undefined/.test(page))
})

test('10,000 tasks give a page that a browser opens, and it says what it left out', () => {
  for (const failing of [0.01, 1]) {
    const input = largeInput(10_000, 32, failing)
    const before = processorMs()
    const page = renderHtml(input)
    assert.ok(processorMs() - before < 5_000)
    assert.ok(page.length < 15_000_000, `${page.length}`)
    assert.match(page, /tasks shown as a line only/)
    assert.equal(page.match(/ id="t-task-/g)?.length, 10_000)
  }
})

test('hostile bulk is bounded too', () => {
  const bulk = '<"&'.repeat(1_000_000)
  const failure = { reason: 'agent-failed' as const, message: bulk, paths: Array(1_000).fill(bulk.slice(0, 9_000)) }
  const tasks = Array.from({ length: 50 }, (_, index) =>
    taskOf({ id: `t${index}`, title: bulk, status: 'failed', failure, history: [{ failure, summary: bulk }] }),
  )
  const logTails = Object.fromEntries(tasks.map((task) => [task.id, bulk]))
  const page = renderHtml({ view: viewOf(tasks), plan: planOf([]), logTails, generatedAt: START })
  assert.ok(page.length < 8_000_000, `${page.length}`)
})

test('a prototype name is a task like any other', () => {
  const tasks = ['constructor', 'valueof'].map((id) => taskOf({ id, history: [{}] }))
  assert.ok(
    renderHtml({ view: viewOf(tasks), plan: planOf([]), logTails: {}, generatedAt: START }).includes('t-constructor'),
  )
})

test('text has a contrast of at least 4.5 to 1 in light and dark', () => {
  for (const palette of [LIGHT, DARK]) {
    const tones: (keyof Palette)[] = ['good', 'calm', 'bad', 'warn', 'live', 'mute']
    for (const text of ['ink', 'soft', ...tones] as const) {
      for (const ground of ['bg', 'panel', 'sunk'] as const) check(palette, text, ground)
    }
    for (const tone of tones) check(palette, 'on', tone)
  }
})

function check(palette: Palette, text: keyof Palette, ground: keyof Palette): void {
  const [light, dark] = [luminance(palette[text]), luminance(palette[ground])].sort((a, b) => b - a)
  const contrast = ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
  assert.ok(contrast >= 4.5, `${text} on ${ground}: ${contrast.toFixed(2)}`)
}

function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0)
}

function hostile() {
  const input = sampleInput()
  const failure = { reason: 'agent-failed' as const, message: HOSTILE, cause: HOSTILE, paths: [HOSTILE] }
  const tasks = input.view.tasks.map((task) => ({
    ...task,
    title: HOSTILE,
    epic: HOSTILE,
    failure,
    history: task.history.map((attempt) => ({ ...attempt, failure, summary: HOSTILE })),
  }))
  const view = { ...input.view, name: HOSTILE, run: HOSTILE, branch: HOSTILE, tasks }
  return { ...input, view, logTails: { payments: HOSTILE, orders: HOSTILE } }
}
