// Pictures of HTML pages by the browser of the dashboard's tests. It only opens the file and shoots: what the page shows is
// its own business.
import { pathToFileURL } from 'node:url'
import { openBrowser } from '../../test/dashboard/browser.ts'

/** `viewport` in CSS pixels; the picture is twice as large. */
export async function picturePage(page: string, picture: string, viewport: { width: number; height: number }) {
  const browser = await openBrowser()
  try {
    const tab = await browser.newPage({ viewport, deviceScaleFactor: 2, colorScheme: 'light', reducedMotion: 'reduce' })
    await tab.goto(pathToFileURL(page).href)
    await tab.getByRole('heading').first().waitFor()
    await tab.getByText('Loading …').waitFor({ state: 'hidden' })
    await tab.screenshot({ path: picture, animations: 'disabled' })
  } finally {
    await browser.close()
  }
}
