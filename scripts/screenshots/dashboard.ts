// Makes the pictures of the dashboard in the documentation, one of each view: a real server, real runs, a real browser.
// docs/images/dashboard-*.png
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { currentApp } from '../../src/reports/built-app.ts'
import { openBrowser } from '../../test/dashboard/browser.ts'
import { DashboardPage } from '../../test/dashboard/page.ts'
import { ProjectStage } from '../../test/dashboard/project-stage.ts'
import { PROJECT, Stage } from '../../test/dashboard/stage.ts'
import type { ServerRig } from '../../test/server/server-rig.ts'
import { readFlags } from '../read-flags.ts'

type Picture = {
  name: string
  /** Behind `#/`. */
  place: string
  /** What is there once it is shown. */
  shows: string
  colorScheme?: 'dark'
  /** Lower, where the rest would be empty. */
  height?: number
  before?: (page: Page) => Promise<void>
}

const WIDTH = 1280
const HEIGHT = 720
const { positionals: wanted } = readFlags('npm run screenshots:dashboard -- [VIEW…]', { allowPositionals: true })

const app = await currentApp((line) => console.error(line))
if (!app.ok) throw new Error(app.problems[0]?.message)
await using browser = await openBrowser()
{
  await using stage = await Stage.open()
  await take(stage.rig, ofRuns(stage))
}
{
  await using stage = await ProjectStage.open()
  const hold = { globs: ['docs/**', 'api/routes.txt'], name: 'Ada', forMs: 7_200_000 }
  await stage.rig.client.claims.hold({ project: PROJECT, ...hold })
  await take(stage.rig, ofProject(stage))
}

function ofRuns({ over, live }: Stage): Picture[] {
  const [o, l] = [`${PROJECT}/${over}`, `${PROJECT}/${live}`]
  return [
    { name: 'runs', place: '', shows: '.runs a', height: 240 },
    { name: 'graph', place: `${o}/graph`, shows: '.node' },
    { name: 'board', place: `${o}/board`, shows: '.card', colorScheme: 'dark' },
    { name: 'timeline', place: `${l}/timeline`, shows: '.now', height: 380 },
    { name: 'list', place: `${l}/list`, shows: '.row', height: 490 },
    { name: 'task', place: `${o}/list/payments/output`, shows: '.output' },
    { name: 'report', place: `${o}/summary`, shows: '.figure-grid' },
  ]
}

function ofProject({ run, suite, search }: ProjectStage): Picture[] {
  const [r, p] = [`${PROJECT}/${run}`, `${PROJECT}/-`]
  return [
    { name: 'landing', place: `${r}/landing`, shows: '.three pre' },
    { name: 'spending', place: `${r}/spending`, shows: '.spending canvas' },
    { name: 'trace', place: `${r}/trace?of=users`, shows: '.chain .end' },
    { name: 'plan', place: `${p}/plan?plan=plans/garden.yaml`, shows: '.waves' },
    { name: 'claims', place: `${p}/claims`, shows: '.claims tbody tr', height: 580 },
    { name: 'suites', place: `${p}/suites?run=${suite}`, shows: '.compare tbody tr' },
    { name: 'searches', place: `${p}/searches?run=${search}`, shows: '.node-diff .diff-line' },
    {
      name: 'workers',
      place: `${p}/workers`,
      shows: '.workers tbody tr',
      height: 330,
      before: (page) => showFleet(page, run),
    },
  ]
}

async function take(rig: ServerRig, pictures: Picture[]): Promise<void> {
  for (const { name, place, shows, colorScheme = 'light', height = HEIGHT, before } of pictures) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const viewport = { width: WIDTH, height }
    await using dashboard = await DashboardPage.open(browser, rig, { viewport, colorScheme })
    const { page } = dashboard
    await before?.(page)
    await dashboard.go(place, shows)
    await page.locator('.current.good').waitFor()
    const path = fileURLToPath(new URL(`../../docs/images/dashboard-${name}.png`, import.meta.url))
    await page.screenshot({ path, animations: 'disabled' })
    console.log(path)
  }
}

/** A fleet needs machines: what the server would answer with three of them. */
async function showFleet(page: Page, run: string): Promise<void> {
  const one = {
    slots: 4,
    labels: [] as string[],
    resources: {},
    silentMs: 900,
    skewMs: 0,
    hasLeft: false,
    isThere: true,
  }
  const machine = (host: string) => ({ host, version: '0.1.0', node: 'v24.1.0', agents: [] })
  const doing = ['users', 'orders'].map((task) => `${run}/${task}`)
  const workers = [
    { ...one, name: 'oak-1', machine: machine('oak'), load: 2, labels: ['gpu'], resources: { db: 1 }, doing },
    { ...one, name: 'oak-2', machine: machine('oak'), load: 1, doing: [`${run}/theme`] },
    { ...one, name: 'elm-1', machine: machine('elm'), load: 0, doing: [], isThere: false, silentMs: 90_000 },
  ]
  const body = JSON.stringify({ workers, none: null })
  await page.route('**/workers', (route) => route.fulfill({ contentType: 'application/json', body }))
}
