// A page of the browser, logged in, that remembers what went wrong in it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { ServerRig } from '../server/server-rig.ts'

export class DashboardPage implements AsyncDisposable {
  readonly page: Page
  readonly #rig: ServerRig | null
  readonly #troubles: string[] = []
  readonly #requests: string[] = []

  private constructor(page: Page, rig: ServerRig | null) {
    this.page = page
    this.#rig = rig
    page.on('pageerror', ({ message }) => this.#troubles.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.#troubles.push(message.text())
    })
    page.on('request', (request) => this.#requests.push(request.url()))
  }

  static async open(browser: Browser, rig: ServerRig, options: BrowserContextOptions = {}): Promise<DashboardPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    const opened = new DashboardPage(await context.newPage(), rig)
    await opened.page.addInitScript(() => {
      const counter = globalThis as unknown as Counter
      counter.presses = 0
      counter.addEventListener('pointerdown', () => counter.presses++, true)
    })
    await opened.page.goto(rig.serving.loginLink())
    await opened.page.waitForSelector('.project')
    return opened
  }

  /** A page that is a file. */
  static async openFile(browser: Browser, url: string): Promise<DashboardPage> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const opened = new DashboardPage(await context.newPage(), null)
    await opened.page.goto(url)
    return opened
  }

  async go(hash: string, shows: string): Promise<void> {
    await this.page.goto(`${this.#rig?.url}/#/${hash}`)
    await this.page.locator(shows).first().waitFor()
  }

  /** One key after the other, as words: `g l`. */
  async keys(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** What was done since the last of these needed the mouse, and at most three clicks. */
  async assertFewClicks(): Promise<void> {
    const clicks = await this.#takeClicks()
    assert.ok(clicks > 0 && clicks <= MOST_CLICKS, `${clicks} clicks`)
  }

  /** What was done since the last of these was done by keyboard alone. */
  async assertOnlyKeys(): Promise<void> {
    assert.equal(await this.#takeClicks(), 0)
  }

  async #takeClicks(): Promise<number> {
    return this.page.evaluate(() => {
      const counter = globalThis as unknown as Counter
      const { presses } = counter
      counter.presses = 0
      return presses
    })
  }

  /** Nothing that WCAG A or AA asks for is missing. */
  async assertAccessible(what: string): Promise<void> {
    await this.page.evaluate(AXE)
    const found = await this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
      return (await axe.run({ runOnly: { type: 'tag', values: tags } })).violations
    })
    const words = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n    ')}`)
    assert.deepEqual(words, [], what)
  }

  /** Nothing is wider than the screen. */
  async assertFits(what: string): Promise<void> {
    const wide = await this.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    assert.ok(wide <= 0, `${what}: ${wide} px too wide`)
  }

  /** No error, and nothing was asked of anybody else. `lost`: its server went away meanwhile, which browsers report. */
  assertClean({ lost = false } = {}): void {
    const mine = this.#troubles.filter((text) => !lost || !/WebSocket|Failed to load resource|ERR_/.test(text))
    assert.deepEqual(mine, [])
    const own = this.#rig ? [this.#rig.url, this.#rig.url.replace('http', 'ws')] : ['file:', 'data:', 'blob:']
    assert.deepEqual(
      this.#requests.filter((url) => !own.some((start) => url.startsWith(start))),
      [],
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close()
  }
}

/** How many clicks a task of a person takes at most. */
const MOST_CLICKS = 3

type Counter = { presses: number; addEventListener(type: string, listen: () => void, isFirst: boolean): void }

type Violation = { id: string; nodes: { html: string }[] }

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
