// A real browser: the one at hand, or Debian's, fetched where this user may.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** `CHROME` names one. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME || found() || fetched()
  if (!executablePath)
    throw new Error('no chromium and no chrome was found: install one, or name it with CHROME=/path/to/chrome')
  // Its own sandbox needs a user that is not root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath, args })
}

function found(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const files = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC]
  return files.find(isProgram) ?? null
}

function fetched(): string | null {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return null
  process.stderr.write('no browser was found: apt-get install -y chromium …\n')
  const run = (args: string[]) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
  const install = ['install', '-y', '--no-install-recommends', 'chromium']
  return run(install) || (run(['update']) && run(install)) ? found() : null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
