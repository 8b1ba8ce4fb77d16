// What happens while somebody looks: updates, a server that goes away and comes back, actions, and many tasks at once.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { connect } from '../../src/client.ts'
import { until } from '../rig/until.ts'
import { openBrowser } from './browser.ts'
import { DashboardPage } from './page.ts'
import { PROJECT, Stage } from './stage.ts'

suite('the dashboard, live', () => {
  let browser: Browser
  let stage: Stage
  before(async () => {
    browser = await openBrowser()
    stage = await Stage.open()
  })
  after(async () => {
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  test('what agents do is shown as it happens; a lost connection is said, and made up for without a reload', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.live}/list`, '.row')
    await page.getByText('GET /teas?page=3').first().waitFor()
    await page.locator('.current.good').waitFor()
    await page.evaluate(() => {
      ;(globalThis as { marked?: boolean }).marked = true
    })
    stage.network.goDown()
    await page.locator('.current.warn').waitFor()
    stage.signal('parse')
    const direct = connect({ url: `http://127.0.0.1:${stage.rig.port}`, token: stage.rig.token })
    await until('parse to land', async () => {
      const { counts } = await direct.runs.get({ project: PROJECT, run: stage.live })
      return counts.landed === 2 ? true : null
    })
    assert.match(await page.locator('h1').innerText(), /1 of 6 done/, 'it does not know yet')
    stage.network.comeBack()
    await page.locator('.current.good').waitFor()
    await page.getByRole('heading', { name: /2 of 6 done/ }).waitFor()
    assert.equal(await page.evaluate(() => (globalThis as { marked?: boolean }).marked), true, 'no reload')
    dashboard.assertClean({ lost: true })
  })

  test('see what a task waits for: one click, or keys', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.live}/list`, '.row')
    const standing = page.locator('aside.task[aria-label="Task merge"] .standing', { hasText: /waits for.*fetch/ })
    await page.getByRole('link', { name: 'merge' }).click()
    await standing.waitFor()
    await dashboard.assertFewClicks()
    await dashboard.keys('Escape')
    await standing.waitFor({ state: 'detached' })
    await dashboard.keys('/')
    await page.keyboard.type('merge')
    await page.waitForFunction("document.querySelectorAll('.row').length === 1")
    await dashboard.keys('Enter', 'j', 'Enter')
    await standing.waitFor()
    await dashboard.assertOnlyKeys()
    dashboard.assertClean()
  })

  test('raise concurrency: one click, or a key', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.live}/list`, '.row')
    await page.getByRole('button', { name: 'One task more at the same time' }).click()
    await page.locator('.slots', { hasText: '3' }).waitFor()
    await dashboard.assertFewClicks()
    await dashboard.keys('>')
    await page.locator('.slots', { hasText: '4' }).waitFor()
    await dashboard.keys('<')
    await page.locator('.slots', { hasText: '3' }).waitFor()
    await dashboard.assertOnlyKeys()
    assert.equal((await stage.rig.client.runs.get({ project: PROJECT, run: stage.live })).slots, 3)
    dashboard.assertClean()
  })

  test('stop a task: three clicks', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.live}/list`, '.row')
    await page.getByRole('link', { name: 'announce' }).click()
    await page.getByRole('button', { name: 'Cancel task' }).click()
    await page.getByRole('button', { name: 'Cancel the task' }).click()
    await page.locator('aside.task .standing', { hasText: 'cancelled' }).waitFor()
    await dashboard.assertFewClicks()
    dashboard.assertClean()
  })

  test('raise the priority of a task', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.live}/list/publish`, 'aside.task')
    await page.getByRole('button', { name: 'Raise priority' }).click()
    await page.getByText('publish now has priority 1.').waitFor()
    dashboard.assertClean()
  })

  test('who may only read has no buttons that do something', async () => {
    const { secret } = await stage.rig.serving.context.tokens.add({ name: 'reader', scope: 'read' })
    const context = await browser.newContext()
    const cookie = { name: stage.rig.serving.context.cookie.name, value: secret, url: stage.rig.url }
    await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }])
    const page = await context.newPage()
    await page.goto(`${stage.rig.url}/#/${PROJECT}/${stage.live}/list/fetch`)
    await page.locator('aside.task').waitFor()
    await page.locator('.row').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /Cancel/ }).count(), 0)
    await context.close()
  })

  test('a browser that is not logged in is told how to', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(stage.rig.url)
    await page.getByText('espalier tokens login').waitFor()
    await context.close()
  })

  // The last: afterwards nothing is at work.
  test('stop an agent at work, by keyboard alone', async () => {
    await using dashboard = await DashboardPage.open(browser, stage.rig)
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.live}/list`, '.row')
    await dashboard.keys('/')
    await page.keyboard.type('fetch the catalogue')
    await page.waitForFunction("document.querySelectorAll('.row').length === 1")
    await dashboard.keys('Enter', 'j', 'Enter')
    await page.locator('aside.task .standing', { hasText: 'running' }).waitFor()
    await dashboard.keys('?')
    for (const what of ['Cancel the task', 'One task more at the same time'])
      await page.locator('dialog[open] dd', { hasText: what }).waitFor()
    // Escape closes the dialog, and not the task behind it.
    await dashboard.keys('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    await page.locator('aside.task').waitFor()
    await dashboard.keys('c')
    await page.locator('dialog[open]', { hasText: 'Its agent is stopped' }).waitFor()
    await dashboard.keys('Tab', 'Tab', 'Enter')
    await page.locator('aside.task .standing', { hasText: 'cancelled' }).waitFor()
    await dashboard.assertOnlyKeys()
    dashboard.assertClean()
  })
})
