// A real browser.
import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../../scripts/dashboard/find-browser.ts'

export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (!executablePath)
    throw new Error('no chromium and no chrome was found: install one, or name it with CHROME=/path/to/chrome')
  // Its own sandbox needs a user that is not root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}
