// Folder of the web app. The package ships it built; in a checkout it is built if it is missing or older than its sources
// (dashboard/vite.config.ts records which files those are).
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isCheckout, packageFile } from '../files/package-file.ts'
import { ok, type Result, refuse } from '../problem.ts'

/** Folder of the built app; null: not built yet. */
export function builtApp(): string | null {
  const folder = packageFile(isCheckout ? 'dashboard/dist' : 'dist/dashboard')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

/** Builds the app if it is missing or outdated. `say` gets a line before the build starts. */
export async function currentApp(say: (line: string) => void): Promise<Result<string>> {
  const built = builtApp()
  if (built !== null && (!isCheckout || isCurrent(built))) return ok(built)
  if (!isCheckout) return refuse('the web app is missing from this installation: install espalier again')
  say(`Building the web app (${built === null ? 'once, about 20 s' : 'its sources have changed'}) …`)
  const script = [packageFile('scripts/node.mjs'), packageFile('scripts/dashboard/build.ts')]
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_CHARS)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const now = builtApp()
  if (code === 0 && now !== null) return ok(now)
  return refuse(`the web app could not be built: npm run build:dashboard says why. ${said.trim()}`)
}

const MOST_CHARS = 2_000

function isCurrent(folder: string): boolean {
  try {
    const sources = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8')) as Record<string, string>
    return Object.entries(sources).every(([path, hash]) => hashOf(packageFile(path)) === hash)
  } catch {
    return false
  }
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
