// A picture of an HTML page by the browser at hand. It only opens the file and shoots: what the page shows is its own business.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** False: there is no browser here. `size` in CSS pixels, drawn twice as large. */
export function picturePage(page: string, picture: string, size: { width: number; height: number }): boolean {
  const browser = [process.env.CHROME_PATH ?? '', ...BROWSERS].find((name) => name !== '' && isThere(name))
  if (browser === undefined) return false
  // Its own, so that a browser that is open is left alone.
  const profile = mkdtempSync(join(tmpdir(), 'espalier-browser-'))
  try {
    const args = [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb'],
      ...[`--user-data-dir=${profile}`, `--window-size=${size.width},${size.height}`, '--force-device-scale-factor=2'],
      // Scripts of the page have drawn by then; it is a virtual time, not one that is waited for.
      ...['--virtual-time-budget=5000', `--screenshot=${picture}`, pathToFileURL(page).href],
    ]
    execFileSync(browser, args, { stdio: 'ignore', timeout: 120_000 })
    return true
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
