// A real browser for tests and pictures: the one at hand, or Debian's, fetched where this user may. As a program: whether there
// is one.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

if (import.meta.main) process.exitCode = findBrowser() ? 0 : 1

/** `CHROME` names one. Null: there is none, and none could be fetched. */
export function findBrowser(): string | null {
  return process.env.CHROME || found() || fetched()
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
