// Makes the pictures of the dashboard in the documentation: a real server, real runs, a real browser. docs/images/dashboard-*.png
// Usage: npm run screenshots:dashboard
import { fileURLToPath } from 'node:url'
import { currentApp } from '../../src/reports/app/built-app.ts'
import { openBrowser } from '../../test/dashboard/browser.ts'
import { DashboardPage } from '../../test/dashboard/page.ts'
import { PROJECT, Stage } from '../../test/dashboard/stage.ts'

const app = await currentApp((line) => console.error(line))
if (!app.ok) throw new Error(app.problems[0]?.message)
await using stage = await Stage.open()
await using browser = await openBrowser()

const [over, live] = [`${PROJECT}/${stage.over}`, `${PROJECT}/${stage.live}`]
const pictures = [
  ['graph', `${over}/graph`, '.node', 'light'],
  ['board', `${over}/board`, '.card', 'dark'],
  ['timeline', `${live}/timeline`, '.now', 'light'],
  ['task', `${over}/list/payments/output`, '.output', 'light'],
] as const

for (const [name, place, shows, colorScheme] of pictures) {
  const viewport = { width: 1200, height: 700 }
  await using dashboard = await DashboardPage.open(browser, stage.rig, { viewport, colorScheme })
  await dashboard.go(place, shows)
  await dashboard.page.locator('.current.good').waitFor()
  const path = fileURLToPath(new URL(`../../docs/images/dashboard-${name}.png`, import.meta.url))
  await dashboard.page.screenshot({ path, animations: 'disabled' })
  console.log(path)
}
