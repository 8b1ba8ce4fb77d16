// The dashboard in a real browser: how long a person waits for a large run, and what its page costs while things happen.
import { gzipSync } from 'node:zlib'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { currentApp } from '../src/reports/built-app.ts'
import { openBrowser } from '../test/dashboard/browser.ts'
import { LargeRun } from '../test/dashboard/large-run.ts'
import { ServerRig } from '../test/server/server-rig.ts'
import { atMost, type Benchmark } from './benchmark.ts'
import { median } from './statistics.ts'

const REPEATS = 5
const EVENTS_PER_SECOND = 50
const WATCHED_SECONDS = 10
const FRAME_MS = 1_000 / 60

export const dashboard: Benchmark = {
  name: 'dashboard',
  about: 'the web app in a browser: first paint, graph, frames while events arrive, size',
  async run({ say }) {
    const app = await currentApp(say)
    if (!app.ok) throw new Error(app.problems[0]?.message)
    await using rig = await ServerRig.open({ app: () => app.value, logLevel: 'silent' })
    await using thousand = await LargeRun.write(rig.repository.top, 1_000)
    await using tenThousand = await LargeRun.write(rig.repository.top, 10_000)
    await using browser = await openBrowser()
    const page = await loggedIn(browser, rig)

    say('first paint')
    const paint = await repeated(() => shown(page, `${rig.url}/#/repo/${thousand.run}/list`, '.row'))
    const paintLarge = await repeated(() => shown(page, `${rig.url}/#/repo/${tenThousand.run}/list`, '.row'))
    say('graph')
    const graph = await repeated(() => shown(page, `${rig.url}/#/repo/${thousand.run}/graph?fold=none`, '.node'))
    const graphLarge = await shown(page, `${rig.url}/#/repo/${tenThousand.run}/graph?fold=none`, '.node')
    const folded = await repeated(() => shown(page, `${rig.url}/#/repo/${tenThousand.run}/graph`, '.node'))
    say(`${EVENTS_PER_SECOND} events a second`)
    await shown(page, `${rig.url}/#/repo/${tenThousand.run}/list`, '.row')
    const frames = await scriptingWhile(page, () => steps(tenThousand))
    const bytes = await firstViewBytes(browser, rig, thousand.run)
    const p95 = frames[Math.floor(frames.length * 0.95)] ?? 0
    return {
      tables: [
        {
          title: 'Time until something can be read, in ms',
          columns: ['view', '1,000 tasks', '10,000 tasks'],
          rows: [
            ['list', Math.round(paint), Math.round(paintLarge)],
            ['graph, all tasks', Math.round(graph), Math.round(graphLarge)],
            ['graph, folded', '', Math.round(folded)],
          ],
        },
        {
          title: `Scripting in each frame while ${EVENTS_PER_SECOND} events a second arrive at 10,000 tasks, in ms`,
          columns: ['median', '95 %', '99 %', 'most'],
          rows: [[0.5, 0.95, 0.99, 1].map((share) => rounded(frames[Math.ceil(frames.length * share) - 1] ?? 0))],
        },
      ],
      bars: [
        atMost('first paint of 1,000 tasks', rounded(paint), 1_000, 'ms'),
        atMost('graph of 1,000 tasks', rounded(graph), 1_000, 'ms'),
        atMost('graph of 10,000 tasks', rounded(graphLarge), 5_000, 'ms'),
        atMost('scripting per frame, 95 %', rounded(p95), 16, 'ms'),
        atMost('scripts of the first view, packed', Math.round(bytes / 1_000), 350, 'kB'),
      ],
    }
  },
}

async function loggedIn(browser: Browser, rig: ServerRig): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(rig.serving.loginLink())
  await page.locator('.runs').waitFor()
  return page
}

/** From the start of a page to its first row or node, with nothing of it in memory. */
async function shown(page: Page, url: string, selector: string): Promise<number> {
  await page.goto('about:blank')
  const since = performance.now()
  await page.goto(url)
  await page.locator(selector).first().waitFor()
  return performance.now() - since
}

async function repeated(measure: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < REPEATS; n++) times.push(await measure())
  return median(times)
}

async function steps(run: LargeRun): Promise<void> {
  const count = EVENTS_PER_SECOND * WATCHED_SECONDS
  const since = performance.now()
  for (let n = 0; n < count; n++) {
    await run.step(5_000 + Math.floor(n / 2))
    const due = since + ((n + 1) * 1_000) / EVENTS_PER_SECOND
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
  }
}

type TraceEvent = { name: string; ph: string; ts: number; dur?: number; pid: number; tid: number }

/** Of each frame: how long scripts ran in it, as the browser traced it. Sorted. */
async function scriptingWhile(page: Page, act: () => Promise<void>): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  const events = tracedEvents(session)
  await session.send('Tracing.start', { categories: 'devtools.timeline,v8', transferMode: 'ReportEvents' })
  await act()
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()))
  await session.send('Tracing.end')
  await ended
  const scripts = events.filter(({ name, ph, dur }) => ph === 'X' && dur !== undefined && SCRIPTING.has(name))
  const main = busiest(scripts)
  const first = Math.min(...main.map(({ ts }) => ts))
  const frames = new Array<number>(Math.ceil((WATCHED_SECONDS * 1_000) / FRAME_MS)).fill(0)
  let end = 0
  for (const { ts, dur = 0 } of main.toSorted((a, b) => a.ts - b.ts)) {
    if (ts < end) continue // inside of another
    end = ts + dur
    const frame = Math.floor((ts - first) / 1_000 / FRAME_MS)
    if (frame < frames.length) frames[frame] = (frames[frame] ?? 0) + dur / 1_000
  }
  return frames.sort((a, b) => a - b)
}

const SCRIPTING: ReadonlySet<string> = new Set([
  ...['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'RunMicrotasks', 'EventDispatch'],
  ...['V8.GCScavenger', 'MinorGC', 'MajorGC'],
])

function tracedEvents(session: CDPSession): TraceEvent[] {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  return events
}

/** The thread of the page itself, not those of workers and of the browser. */
function busiest(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = [...Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`).values()]
  return threads.toSorted((a, b) => b.length - a.length)[0] ?? []
}

async function firstViewBytes(browser: Browser, rig: ServerRig, run: string): Promise<number> {
  await using context = await browser.newContext()
  const page = await context.newPage()
  const scripts: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (/\/assets\/.*\.js$/.test(new URL(response.url()).pathname)) scripts.push(response.body())
  })
  await page.goto(rig.serving.loginLink())
  await page.locator('.runs').waitFor()
  await page.goto(`${rig.url}/#/repo/${run}/list`)
  await page.locator('.row').first().waitFor()
  return (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0)
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
