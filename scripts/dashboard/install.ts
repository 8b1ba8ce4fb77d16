// The packages of the web app, which has a lock file of its own: installed where they are missing or another lock file's.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const dashboard = fileURLToPath(new URL('../../dashboard/', import.meta.url))

/** Whether they are there now. */
export function installDashboard(): boolean {
  const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    (file) => statSync(`${dashboard}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  )
  if (wanted !== undefined && installed !== undefined && installed >= wanted) return true
  process.stderr.write('Installing the packages of the dashboard …\n')
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
    cwd: dashboard,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (error) process.stderr.write(`could not start npm: ${error.message}\n`)
  return status === 0
}
