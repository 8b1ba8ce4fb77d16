// A run of 10,000 tasks: only what is in sight is in the page, graphs are folded, and updates arrive all the same.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { builtApp } from '../../src/reports/built-app.ts'
import { ServerRig } from '../server/server-rig.ts'
import { openBrowser } from './browser.ts'
import { LargeRun } from './large-run.ts'
import { DashboardPage } from './page.ts'

const SIZE = 10_000
const FIRST_VIEW_BYTES = 350_000

suite('the dashboard with 10,000 tasks', () => {
  let browser: Browser
  let rig: ServerRig
  let large: LargeRun
  before(async () => {
    browser = await openBrowser()
    rig = await ServerRig.open({ app: builtApp })
    large = await LargeRun.write(rig.repository.top, SIZE)
  })
  after(async () => {
    await browser?.close()
    await large?.[Symbol.asyncDispose]()
    await rig?.[Symbol.asyncDispose]()
  })

  test('the list holds a screenful, finds one of them, and follows what happens', async () => {
    await using dashboard = await DashboardPage.open(browser, rig)
    const { page } = dashboard
    await dashboard.go(`repo/${large.run}/list`, '.row')
    assert.ok((await page.locator('.row').count()) < 60)
    await dashboard.keys('/')
    await page.keyboard.type('task-9999')
    await page.getByRole('link', { name: 'task-9999', exact: true }).waitFor()
    for (let n = 0; n < 40; n++) await large.step(9_900 + n)
    await large.step(9_999)
    await page.locator('.row .status', { hasText: 'running' }).waitFor()
    dashboard.assertClean()
  })

  test('the graph is folded by epic, one is opened, and a task is found in it', async () => {
    await using dashboard = await DashboardPage.open(browser, rig)
    const { page } = dashboard
    await dashboard.go(`repo/${large.run}/graph`, '.node.group')
    assert.ok((await page.locator('.node').count()) <= 20)
    await page.getByRole('button', { name: /^epic-3\b/ }).click()
    await page.locator('.node:not(.group)').first().waitFor()
    await page.getByRole('combobox').selectOption('depth')
    await page.getByRole('button', { name: /^Step 1\b/ }).waitFor()
    await dashboard.go(`repo/${large.run}/board`, '.card')
    assert.ok((await page.locator('.card').count()) < 120)
    dashboard.assertClean()
  })

  test(`the first view loads at most ${FIRST_VIEW_BYTES / 1_000} kB of scripts, packed`, async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const scripts: Promise<Buffer>[] = []
    page.on('response', (response) => {
      if (/\.js$/.test(new URL(response.url()).pathname) && !response.url().includes('/login'))
        scripts.push(response.body())
    })
    await page.goto(rig.serving.loginLink())
    await page.locator('.runs').waitFor()
    await page.goto(`${rig.url}/#/repo/${large.run}/list`)
    await page.locator('.row').first().waitFor()
    const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0)
    assert.ok(bytes > 0 && bytes < FIRST_VIEW_BYTES, `${bytes} bytes`)
    await context.close()
  })
})
