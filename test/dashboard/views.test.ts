// Every view, opened on real runs of a real server, in a real browser.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { builtApp } from '../../src/reports/built-app.ts'
import { htmlPlan, htmlSimulation } from '../../src/server/recording/html-plan.ts'
import { planOverview } from '../../src/workloads/analysis/overview.ts'
import { simulatedSchedule, simulatePlan } from '../../src/workloads/analysis/simulate.ts'
import { makePlan } from '../rig/plan.ts'
import { openBrowser } from './browser.ts'
import { DashboardPage } from './page.ts'
import { PROJECT, Stage } from './stage.ts'

/** What is shown where: the place behind `#/`, and what is there once it is shown. */
function places({ over, live }: Stage): Record<string, [place: string, shows: string]> {
  const [o, l] = [`${PROJECT}/${over}`, `${PROJECT}/${live}`]
  return {
    home: ['', '.runs'],
    project: [PROJECT, '.runs'],
    list: [`${o}/list`, '.row'],
    graph: [`${o}/graph`, '.node'],
    board: [`${o}/board`, '.card'],
    timeline: [`${o}/timeline`, '.bar'],
    report: [`${o}/summary`, '.figure-grid'],
    'a run at work': [`${l}/list`, '.row'],
    'its timeline': [`${l}/timeline`, '.now'],
    'a task that failed': [`${o}/list/payments`, '.attempt'],
    output: [`${o}/list/payments/output`, '.output'],
    diff: [`${o}/list/schema/diff`, '.diff-line'],
    prompt: [`${o}/list/schema/prompt`, '.prompt'],
  }
}

suite('the dashboard', () => {
  let stage: Stage
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
    stage = await Stage.open()
  })
  after(async () => {
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`every view in ${colorScheme}: no error, nothing of others, accessible`, async () => {
      await using dashboard = await DashboardPage.open(browser, stage.rig, { colorScheme })
      for (const [name, [place, shows]] of Object.entries(places(stage))) {
        await dashboard.go(place, shows)
        await dashboard.assertAccessible(`${name}, ${colorScheme}`)
      }
      dashboard.assertClean()
    })

  test('every view fits a telephone', async () => {
    const viewport = { width: 390, height: 844 }
    await using dashboard = await DashboardPage.open(browser, stage.rig, { viewport, hasTouch: true })
    for (const [name, [place, shows]] of Object.entries(places(stage))) {
      await dashboard.go(place, shows)
      await dashboard.assertFits(name)
    }
    await dashboard.go(`${PROJECT}/${stage.over}/list`, '.row')
    await dashboard.assertAccessible('the list at 390 px')
    for (const view of ['trace', 'graph', 'landing']) {
      await dashboard.go(`${PROJECT}/${stage.over}/${view}`, '.tabs [aria-current]')
      const shown = await dashboard.page.locator('.run-bar [aria-current]').boundingBox()
      assert.ok(shown && shown.x >= 0 && shown.x + shown.width <= viewport.width, `the tab of ${view} is in sight`)
    }
    dashboard.assertClean()
  })

  test('find why a task failed, and what it printed: two clicks', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.over}/list`, '.row')
    await page.getByRole('link', { name: 'payments' }).click()
    await page.locator('aside.task .fail', { hasText: 'the gateway stub did not answer' }).first().waitFor()
    await page.getByRole('link', { name: 'Output', exact: true }).click()
    await page.getByText('expected 200, got 503').first().waitFor()
    await dashboard.assertFewClicks()
    dashboard.assertClean()
  })

  test('by keyboard alone: find why a task failed, read its output, close it, go elsewhere', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await page.locator('.runs a').first().waitFor()
    await dashboard.keys('j', 'j', 'Enter')
    await page.locator('.row').first().waitFor()
    assert.match(await page.locator('h1').innerText(), /^Waiting for you/)
    await dashboard.keys('j', 'Enter')
    await page.locator('aside.task').waitFor()
    assert.match(await page.locator('aside.task .fail').first().innerText(), /agent-failed.*gateway/s)
    await dashboard.assertOnlyKeys()
    await dashboard.keys('o')
    await page.locator('.output').waitFor()
    // What a program prints is text, with its colours, and never HTML.
    assert.match(await page.locator('.output').innerText(), /to <b>the gateway<\/b>/)
    assert.equal(await page.locator('.output .fg-ansi-green').innerText(), 'connecting')
    await dashboard.keys('Escape')
    await page.locator('aside.task').waitFor({ state: 'detached' })
    await dashboard.keys('g', 'g')
    await page.locator('.node').first().waitFor()
    await dashboard.keys('?')
    assert.match(await page.locator('dialog[open]').innerText(), /To what needs it/)
    await dashboard.keys('Escape', 'g', 'h')
    await page.locator('.project').waitFor()
    dashboard.assertClean()
  })

  test('the list is filtered by words and by status, and the address keeps that', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.over}/list`, '.row')
    assert.equal(await page.locator('.row').count(), 10)
    await dashboard.keys('/')
    await page.keyboard.type('endpoint')
    await page.waitForFunction("document.querySelectorAll('.row').length === 2")
    await page.reload()
    await page.locator('.row').first().waitFor()
    assert.equal(await page.locator('.row').count(), 2)
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: /^failed/ }).click()
    await page.waitForFunction("document.querySelectorAll('.row').length === 1")
    dashboard.assertClean()
  })

  test('a report is one file without a server: the same views, all texts, and below 1.5 MB', async () => {
    const { client } = stage.rig
    const text = await client.runs.report({ project: PROJECT, run: stage.over, format: 'html' })
    const file = join(mkdtempSync(join(tmpdir(), 'espalier-report-')), 'report.html')
    writeFileSync(file, text)
    assert.ok(statSync(file).size < 1_500_000)
    await using dashboard = await DashboardPage.openFile(browser, pathToFileURL(file).href)
    const { page } = dashboard
    await page.locator('.figure-grid').waitFor()
    assert.match(await page.locator('h1').innerText(), /^Waiting for you/)
    await dashboard.assertAccessible('a report')
    for (const [view, shows] of [
      ['Graph', '.node'],
      ['Board', '.card'],
      ['Timeline', '.bar'],
      ['List', '.row'],
    ] as const) {
      await page.getByRole('link', { name: view, exact: true }).click()
      await page.locator(shows).first().waitFor()
    }
    await page.getByRole('link', { name: 'payments' }).click()
    await page.locator('.attempt').first().waitFor()
    await dashboard.keys('o')
    await page.getByText('expected 200, got 503').waitFor()
    await dashboard.keys('d')
    await page.locator('.diff-line.insert').first().waitFor()
    await dashboard.keys('p')
    await page.locator('.prompt').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0, 'a file can do nothing')
    dashboard.assertClean()
  })

  test('the page of a plan shows its graph and its tables, whatever is written in it', async () => {
    const hostile = '</script><script>document.title="run"</script><img src=x onerror=alert(1)>'
    const plan = makePlan(
      [
        { id: 'first', title: hostile },
        { id: 'second', needs: ['first'] },
      ],
      'true',
      hostile,
    )
    const template = readFileSync(join(builtApp() ?? '', 'report.html'), 'utf8')
    const file = join(mkdtempSync(join(tmpdir(), 'espalier-plan-')), 'plan.html')
    writeFileSync(file, htmlPlan(plan, planOverview(plan, 3), { done: 0, template }))
    await using dashboard = await DashboardPage.openFile(browser, pathToFileURL(file).href)
    const { page } = dashboard
    await page.getByRole('heading', { name: '2 tasks in 2 batches' }).waitFor()
    await page.getByRole('heading', { name: 'Critical path' }).waitFor()
    await dashboard.assertAccessible('a plan')
    await page.getByRole('link', { name: 'Graph', exact: true }).click()
    await page.locator('.node').first().waitFor()
    assert.equal(await page.locator('.node').count(), 2)
    assert.equal((await page.getByText('<img src=x').count()) > 0, true)
    assert.notEqual(await page.title(), 'run')
    dashboard.assertClean()
  })

  test('the page of a simulation shows times by workers, the critical path, and who would do what when', async () => {
    const plan = makePlan([
      { id: 'first', estimateMs: 60_000 },
      { id: 'second', needs: ['first'], estimateMs: 120_000 },
      { id: 'beside', estimateMs: 90_000 },
    ])
    const rules = { maxPerEpic: null, budgetUsd: null }
    const simulation = simulatePlan(plan, rules)
    const schedule = simulatedSchedule(plan, rules, 2)
    const template = readFileSync(join(builtApp() ?? '', 'report.html'), 'utf8')
    const file = join(mkdtempSync(join(tmpdir(), 'espalier-simulation-')), 'simulation.html')
    writeFileSync(file, htmlSimulation({ plan, simulation, workers: 2, schedule, words: ['Guessed.'] }, template))
    await using dashboard = await DashboardPage.openFile(browser, pathToFileURL(file).href)
    const { page } = dashboard
    await page.getByRole('heading', { name: '2 workers are enough' }).waitFor()
    await page.locator('.summary tbody tr').first().waitFor()
    const rows = await page.locator('.summary tbody tr').allInnerTexts()
    assert.deepEqual(
      rows.map((row) => row.split('\t').slice(0, 2).join(': ')),
      ['1: 4m 30s', '2 (enough): 3m 00s', '4: 3m 00s', '8: 3m 00s'],
    )
    assert.match(await page.locator('.summary').innerText(), /first 1m 00s → second 2m 00s[\s\S]*Guessed\./)
    await dashboard.assertAccessible('a simulation')
    await page.getByRole('link', { name: 'Timeline', exact: true }).click()
    await page.locator('.bar', { hasText: 'beside' }).waitFor()
    assert.equal(await page.locator('.bar').count(), 3)
    assert.match(
      await page.locator('.timeline').innerText(),
      /3 tasks on 2 workers in 3m 00s[\s\S]*worker 1[\s\S]*100%[\s\S]*worker 2[\s\S]*50%/,
    )
    await dashboard.assertAccessible('its timeline')
    dashboard.assertClean()
  })

  // The last: afterwards nothing is at work, and nothing waits for a person.
  test('by keyboard alone: resolve a conflict', async () => {
    await stage.endLive()
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.over}/list`, '.row')
    await dashboard.keys('g', 'q')
    const conflict = page.getByRole('region', { name: 'Conflict of' })
    await conflict.locator('.three .insert').nth(1).waitFor()
    const task = (await conflict.getAttribute('aria-label'))?.replace('Conflict of ', '') ?? ''
    await dashboard.keys('j', 'Tab')
    assert.equal(await focused(page), 'Open in a worktree')
    await dashboard.keys('Enter')
    const folder = /cd (\S+) &&/.exec(await conflict.locator('.opened .copy').innerText())?.[1] ?? ''
    writeFileSync(join(folder, 'api/routes.txt'), '# one route a line\nGET /health\nGET /orders\nGET /users\n')
    await dashboard.keys('Tab')
    assert.equal(await focused(page), 'I have resolved it')
    await dashboard.keys('Enter')
    await conflict.waitFor({ state: 'detached' })
    await page.locator('[aria-labelledby=landings] tr', { hasText: task }).waitFor()
    await dashboard.assertOnlyKeys()
    dashboard.assertClean()
  })
})

/** The words on what has the focus. */
async function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.innerText')
}
