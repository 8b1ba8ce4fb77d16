// npm run build:dashboard: makes dashboard/dist/, the web app of `espalier ui` and the page of `espalier report --html`.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dashboard, installDashboard } from './install.ts'

export function buildDashboard(): boolean {
  if (!installDashboard()) return false
  // Put in place by a rename: whoever looks meanwhile finds the one before, or this one, whole.
  const made = mkdtempSync(`${dashboard}.building-`)
  chmodSync(made, 0o755)
  const page = mkdtempSync(`${dashboard}.building-`)
  const isBuilt = build('production', made) && build('report', page)
  if (isBuilt) {
    renameSync(`${page}/report.html`, `${made}/report.html`)
    const old = `${made}-old`
    if (existsSync(`${dashboard}dist`)) renameSync(`${dashboard}dist`, old)
    renameSync(made, `${dashboard}dist`)
    rmSync(old, { recursive: true, force: true })
  }
  for (const folder of [made, page]) rmSync(folder, { recursive: true, force: true })
  return isBuilt
}

function build(mode: string, outDir: string): boolean {
  const vite = `${dashboard}node_modules/vite/bin/vite.js`
  const args = [vite, 'build', '--mode', mode, '--outDir', outDir, '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  return spawnSync(process.execPath, args, { cwd: dashboard, env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = buildDashboard() ? 0 : 1
