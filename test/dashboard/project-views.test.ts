// The views of landing, spending, trace, plans, claims, suites and searches, in a real browser on a real server: that they are
// accessible and fit, and what a person does with them in at most three clicks, and by keyboard alone.
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { until } from '../rig/until.ts'
import { openBrowser } from './browser.ts'
import { DashboardPage } from './page.ts'
import { PROJECT, ProjectStage } from './project-stage.ts'

/** What is shown where: the place behind `#/`, and what is there once it is shown. */
function places({ run, suite: suiteRun, search }: ProjectStage): Record<string, [place: string, shows: string]> {
  return {
    landing: [`${PROJECT}/${run}/landing`, '.three pre'],
    spending: [`${PROJECT}/${run}/spending`, '.spending canvas'],
    trace: [`${PROJECT}/${run}/trace`, '.trace-rows button'],
    'a chain': [`${PROJECT}/${run}/trace?of=users`, '.chain .end'],
    plan: [`${PROJECT}/-/plan?plan=plans/garden.yaml`, '.waves'],
    'a plan with problems': [`${PROJECT}/-/plan?plan=plans/broken.yaml`, '.problems'],
    claims: [`${PROJECT}/-/claims`, '.claims form'],
    suites: [`${PROJECT}/-/suites?run=${suiteRun}`, '.sparkline'],
    search: [`${PROJECT}/-/searches?run=${search}`, '.node-diff .diff-line'],
    'workers, where there are none': [`${PROJECT}/-/workers`, '.no-workers'],
  }
}

suite('the views of a project', () => {
  let stage: ProjectStage
  let browser: Browser
  before(async () => {
    browser = await openBrowser()
    stage = await ProjectStage.open()
  })
  after(async () => {
    await browser?.close()
    await stage?.[Symbol.asyncDispose]()
  })

  const open = (options = {}) => DashboardPage.open(browser, stage.rig, options)

  for (const colorScheme of ['light', 'dark'] as const)
    test(`every view in ${colorScheme}: no error, nothing of others, accessible`, async () => {
      await using dashboard = await open({ colorScheme })
      for (const [name, [place, shows]] of Object.entries(places(stage))) {
        await dashboard.go(place, shows)
        await dashboard.assertAccessible(`${name}, ${colorScheme}`)
      }
      dashboard.assertClean()
    })

  test('every view fits a telephone, and is accessible there', async () => {
    await using dashboard = await open({ viewport: { width: 390, height: 844 }, hasTouch: true })
    for (const [name, [place, shows]] of Object.entries(places(stage))) {
      await dashboard.go(place, shows)
      await dashboard.assertFits(name)
      await dashboard.assertAccessible(`${name} at 390 px`)
    }
    dashboard.assertClean()
  })

  test('compare two agents in a suite: two clicks, or keys', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await page.getByRole('link', { name: PROJECT, exact: true }).first().click()
    await page.getByRole('link', { name: 'Suites', exact: true }).click()
    const parser = page.locator('.compare tr', { hasText: 'parser' })
    await parser.waitFor()
    assert.deepEqual((await parser.locator('td').allInnerTexts()).slice(0, 3), ['3/3', '0/3', '−100%'])
    await page.locator('[aria-labelledby=history] tr', { hasText: 'server agent=ada' }).waitFor()
    await dashboard.assertFewClicks()
    await dashboard.keys('g', 'h')
    await toProject(page)
    await dashboard.keys('g', 'u')
    await parser.waitFor()
    await dashboard.keys('x')
    await page.waitForFunction("document.querySelector('.compare thead').innerText.includes('bob\\tada')")
    assert.deepEqual((await parser.locator('td').allInnerTexts()).slice(0, 3), ['0/3', '3/3', '+100%'])
    await dashboard.assertOnlyKeys()
    dashboard.assertClean()
  })

  test('find the best node of a search and what it changed: three clicks, or keys; and why another was not promoted', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await page.getByRole('link', { name: PROJECT, exact: true }).first().click()
    await page.getByRole('link', { name: 'Searches', exact: true }).click()
    await page.getByRole('button', { name: 'Show the best node' }).click()
    const node = page.locator('.node')
    await node.getByText('+7 against its node').waitFor()
    await node.locator('.diff-line.insert', { hasText: '24' }).waitFor()
    await dashboard.assertFewClicks()
    await page
      .getByRole('treeitem', { name: /less\.sh.*worse than its node by 2/ })
      .last()
      .click()
    await node.getByText('Worse than its node by 2').waitFor()
    await page
      .getByRole('treeitem', { name: /much\.sh/ })
      .last()
      .click()
    await node.getByText('Gate-failed').waitFor()
    await dashboard.go(PROJECT, '.runs')
    await dashboard.assertFewClicks()
    await dashboard.keys('g', 's')
    await page.locator('.tree-and-node').waitFor()
    await dashboard.keys('j', 'j', 'b')
    await node.getByText('+7 against its node').waitFor()
    await node.locator('.diff-line.insert', { hasText: '24' }).waitFor()
    await dashboard.assertOnlyKeys()
    await dashboard.keys('j')
    await node.getByText('Promoted, rank 2').waitFor()
    dashboard.assertClean()
  })

  test('the page of a suite is a file: verdicts, what failed and what it printed, and its tasks', async () => {
    await using dashboard = await openPage(browser, stage, stage.suite)
    const { page } = dashboard
    await page.locator('.suites .figures', { hasText: '12 of 18' }).waitFor()
    assert.deepEqual(await page.locator('.page > .tabs a').allInnerTexts(), ['Runs', 'Suites'])
    await page.locator('[aria-labelledby=history] tr', { hasText: 'server agent=ada' }).waitFor()
    const entry = page.locator('.entries details', { hasText: 'parser-bob-1' })
    await entry.locator('summary').click()
    assert.match(await entry.innerText(), /command-failed[\s\S]*parsing for bob[\s\S]*Repeat it/)
    await dashboard.assertAccessible('the page of a suite')
    await page.getByRole('link', { name: 'Timeline', exact: true }).click()
    await page.locator('.bar.bad-bar', { hasText: 'parser-bob-1' }).click()
    await page.locator('aside.task .attempt').waitFor()
    await dashboard.keys('o')
    await page.locator('.output', { hasText: 'parsing for bob' }).waitFor()
    dashboard.assertClean()
  })

  test('the page of a search is a file: depths, the tree, why each was promoted or not, and what it changed', async () => {
    await using dashboard = await openPage(browser, stage, stage.search)
    const { page } = dashboard
    await page.locator('[aria-labelledby=depths] tr', { hasText: '10/10 evals, 2 failed' }).waitFor()
    const node = page.locator('.node')
    await node.locator('.diff-line.insert', { hasText: '24' }).waitFor()
    await dashboard.assertAccessible('the page of a search')
    await node.getByRole('button', { name: 'Against the root' }).click()
    await node.locator('.diff-line.delete', { hasText: '10' }).waitFor()
    await page
      .getByRole('treeitem', { name: /less\.sh.*worse than its node by 2/ })
      .last()
      .click()
    await node.getByText('Worse than its node by 2').waitFor()
    await node.locator('.diff-line.insert').waitFor()
    await node.getByRole('link', { name: 'Its steps' }).click()
    await page.locator('.row', { hasText: '-judge' }).waitFor()
    assert.equal(await page.locator('.row').count(), 2)
    dashboard.assertClean()
  })

  test('cost so far and at the end: two clicks, or keys', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await page.locator('.runs a', { hasText: stage.run }).click()
    await page.getByRole('link', { name: 'Spending', exact: true }).click()
    const figures = page.locator('.spending .figures')
    await figures.getByText('$1.30').waitFor()
    assert.match(await figures.innerText(), /\$1\.05[\s\S]*53% of the budget of \$2\.00[\s\S]*1 left[\s\S]*\$0\.18/)
    await dashboard.assertFewClicks()
    await dashboard.keys('g', 'l')
    await page.locator('.row').first().waitFor()
    await dashboard.keys('g', 's')
    await figures.getByText('$1.30').waitFor()
    await dashboard.keys('2')
    await page.locator('.spent tr', { hasText: 'api' }).waitFor()
    await dashboard.keys('3')
    await page.locator('.spent tr', { hasText: 'command' }).waitFor()
    await dashboard.assertOnlyKeys()
    dashboard.assertClean()
  })

  test('trace a commit back to its objective', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    const { landedCommit } = await stage.rig.client.tasks.get({ project: PROJECT, run: stage.run, task: 'users' })
    await dashboard.go(`${PROJECT}/${stage.run}/trace`, '.trace-rows button')
    await dashboard.keys('/')
    await page.keyboard.type(landedCommit?.slice(0, 12) ?? '')
    await dashboard.keys('Enter')
    await page.locator('.chain').waitFor()
    const chain = await page.locator('.trace').innerText()
    for (const part of [
      'Sell tea on the web',
      'D-2: one service',
      'users',
      'Attempt 1',
      'Session of command',
      'Landing',
    ])
      assert.ok(chain.includes(part), `${part} in ${chain}`)
    dashboard.assertClean()
  })

  test('problems of a pasted plan stand at their lines, and go away', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/-/plan`, '.plan select')
    await page.locator('.plan select').selectOption('-')
    const area = page.getByRole('textbox', { name: 'The plan' })
    await area.fill("name: x\ncommand: 'true'\ntasks:\n  - { id: a, needs: [b], prompt: x }\n")
    await page.locator('.gutter .bad').waitFor()
    assert.match(await page.locator('.gutter .bad').innerText(), /4/)
    await page.getByRole('button', { name: /^line 4/ }).click()
    assert.equal(await area.evaluate<number, { selectionStart: number }>((element) => element.selectionStart), 31)
    await area.fill(
      "name: x\ncommand: 'true'\ntasks:\n  - { id: a, prompt: x }\n  - { id: b, needs: [a], prompt: x }\n",
    )
    await page.getByText('Plan OK: 2 tasks').waitFor()
    await page.locator('.waves li').nth(1).waitFor()
    dashboard.assertClean()
  })

  test('start a plan: three clicks from the project', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await dashboard.go(PROJECT, '.runs')
    await page.getByRole('link', { name: 'Plan', exact: true }).click()
    await page.getByRole('button', { name: 'Start …' }).click()
    assert.match(await page.locator('dialog[open]').innerText(), /6 tasks with 2 workers/)
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.waitForURL(/garden-1\/list/)
    await dashboard.assertFewClicks()
    const run = { project: PROJECT, run: 'garden-1' }
    await until('its end', async () => {
      const { engine, counts } = await stage.rig.client.runs.get(run)
      return engine === null && counts.landed === 6 ? true : null
    })
    await page.locator('.row', { hasText: 'landed' }).nth(5).waitFor()
    dashboard.assertClean()
  })

  test('by keyboard alone: a plan, more workers, and the start', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await dashboard.go(PROJECT, '.runs')
    await dashboard.keys('g', 'p')
    await page.locator('.slider').waitFor()
    await dashboard.keys('+')
    await page.locator('.slider output', { hasText: '3' }).waitFor()
    await dashboard.keys('s')
    await page.locator('dialog[open]', { hasText: 'with 3 workers' }).waitFor()
    await dashboard.keys('Tab', 'Tab', 'Enter')
    await page.waitForURL(/garden-2\/list/)
    await dashboard.assertOnlyKeys()
    await until('its end', async () => {
      const { engine } = await stage.rig.client.runs.get({ project: PROJECT, run: 'garden-2' })
      return engine === null ? true : null
    })
    assert.equal((await stage.rig.client.runs.get({ project: PROJECT, run: 'garden-2' })).slots, 3)
  })

  test('hold paths, ask whether they are free, release them', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/-/claims`, '.claims form')
    await page.getByLabel('Paths or patterns, a line each').fill('docs/**')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByRole('button', { name: 'Hold', exact: true }).click()
    await page.locator('tr', { hasText: 'docs/**' }).getByText('Ada').waitFor()
    await page.getByLabel('Paths, a line each').fill('docs/a.md\nsrc/b.ts')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('1 held by somebody').waitFor()
    await dashboard.assertAccessible('claims that are held')
    await page.getByRole('button', { name: 'Release docs/**' }).click()
    await page.getByText('nobody holds a path').waitFor()
    dashboard.assertClean()
  })

  test('workers: which are there, what each does, what is wrong with one', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    const machine = { host: 'oak', version: '0.1.0', node: 'v24.1.0', agents: [] }
    const one = { slots: 2, load: 1, labels: ['gpu'], resources: { db: 1 }, silentMs: 1_200, skewMs: 0, hasLeft: false }
    const workers = [
      { ...one, name: 'oak-1', machine, isThere: true, doing: [`${stage.run}/users`] },
      { ...one, name: 'elm-1', machine, isThere: false, doing: [], silentMs: 90_000, skewMs: 7_000, load: 0 },
    ]
    const body = JSON.stringify({ workers, none: null })
    await page.route('**/workers', (route) => route.fulfill({ contentType: 'application/json', body }))
    await dashboard.go(`${PROJECT}/-/claims`, '.claims form')
    await dashboard.keys('g', 'w')
    const rows = page.locator('.workers tbody tr')
    await rows.nth(1).waitFor()
    await page.getByText('1 of 2 slots at work').waitFor()
    assert.match(await rows.nth(0).innerText(), /oak-1\s+there\s+1 of 2\s+gpu, 1 db\s+1\.2s ago\s+right/)
    assert.match(await rows.nth(1).innerText(), /elm-1\s+not heard of.*1m 30s ago\s+7.0s ahead/s)
    await dashboard.assertAccessible('workers')
    await rows.nth(0).getByRole('link', { name: 'users' }).click()
    await page.waitForURL(/users/)
    dashboard.assertClean()
  })

  test('see what landed in the last hour: two clicks, or keys', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    const rows = page.locator('[aria-labelledby=landings] tbody tr')
    const chip = page.getByRole('button', { name: /in the last hour/ })
    await dashboard.go(`${PROJECT}/${stage.run}/list`, '.row')
    await page.getByRole('link', { name: 'Landing', exact: true }).click()
    await chip.click()
    await page.locator('.chip[aria-pressed=true]').waitFor()
    const { items } = await stage.rig.client.runs.landings({ project: PROJECT, run: stage.run, limit: 200 })
    assert.equal(await rows.count(), items.length)
    for (const task of ['schema', 'theme', 'users']) await rows.filter({ hasText: task }).first().waitFor()
    await dashboard.assertFewClicks()
    // Two hours later, none of it is of the last hour.
    await page.clock.setFixedTime(Date.now() + 2 * 3_600_000)
    await page.getByText('Nothing landed in the last hour.').waitFor()
    await dashboard.keys('g', 'l')
    await page.locator('.row').first().waitFor()
    await dashboard.keys('g', 'q')
    await rows.nth(items.length - 1).waitFor()
    await dashboard.keys('h')
    await page.getByText('Nothing landed in the last hour.').waitFor()
    await dashboard.assertOnlyKeys()
    dashboard.assertClean()
  })

  test('resolve a conflict: see its sides, open it, hand it back; three clicks from the run', async () => {
    await using dashboard = await open()
    const { page } = dashboard
    await dashboard.go(`${PROJECT}/${stage.run}/list`, '.row')
    await page.getByRole('link', { name: 'Landing', exact: true }).click()
    const conflict = page.getByRole('region', { name: 'Conflict of orders' })
    await conflict.locator('.three .insert').nth(1).waitFor()
    assert.deepEqual((await conflict.locator('.three .insert').allInnerTexts()).map((text) => text.trim()).sort(), [
      'GET /orders',
      'GET /users',
    ])
    await conflict.getByRole('button', { name: 'Open in a worktree' }).click()
    const command = await conflict.locator('.opened .copy').innerText()
    const folder = /cd (\S+) &&/.exec(command)?.[1] ?? ''
    writeFileSync(join(folder, 'api/routes.txt'), '# one route a line\nGET /health\nGET /orders\nGET /users\n\n# end\n')
    await conflict.getByRole('button', { name: 'I have resolved it' }).click()
    await conflict.waitFor({ state: 'detached' })
    await dashboard.assertFewClicks()
    const task = { project: PROJECT, run: stage.run, task: 'orders' }
    await until('it has landed', async () =>
      (await stage.rig.client.tasks.get(task)).status === 'landed' ? true : null,
    )
    await page.locator('[aria-labelledby=landings] tr', { hasText: 'orders' }).waitFor()
    dashboard.assertClean()
  })
})

/** From all runs to the project, by keys. */
async function toProject(page: Page): Promise<void> {
  await page.locator('.project h2 a').waitFor()
  for (let count = 0; count < 12; count++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate("document.activeElement?.matches('.project h2 a')")) break
  }
  await page.keyboard.press('Enter')
}

/** The page that `espalier report --html` writes. */
async function openPage(browser: Browser, { rig }: ProjectStage, run: string): Promise<DashboardPage> {
  const file = join(mkdtempSync(join(tmpdir(), 'espalier-page-')), `${run}.html`)
  writeFileSync(file, await rig.client.runs.report({ project: PROJECT, run, format: 'html' }))
  return DashboardPage.openFile(browser, pathToFileURL(file).href)
}
