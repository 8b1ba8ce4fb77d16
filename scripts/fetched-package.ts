// Packages that only some tests need, and that are too large for everybody: fetched from the npm registry at a pinned version,
// into a cache outside the repository. They are never dependencies of the package.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where they are kept. */
export function packageCache(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'espalier')
}

/**
 * Fetches a package where it is not there yet, and gives what went wrong. `trouble`: why what was fetched does not work.
 *
 * It is fetched into a folder of its own process, tried, and put in its place by a rename: what is in place is whole,
 * whoever is killed while fetching and however many do it at once.
 */
export async function fetchPackage(
  place: string,
  spec: string,
  trouble: (folder: string) => Promise<string | null>,
): Promise<string | null> {
  if (existsSync(place)) return null
  mkdirSync(dirname(place), { recursive: true })
  removeAbandoned(dirname(place))
  const temporary = `${place}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  try {
    writeFileSync(join(temporary, 'package.json'), '{"private":true}\n')
    process.stderr.write(`fetching ${spec} …\n`)
    if (!(await succeeds('npm', INSTALL.concat(spec), temporary)))
      return `${spec} could not be fetched from the npm registry: check the network and try again.`
    const why = await trouble(temporary)
    if (why === null) putInPlace(temporary, place)
    return why
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** What it prints is for whoever waits for it, but is no output of this program. */
export function succeeds(program: string, args: readonly string[], cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] })
    child.on('error', () => resolve(false))
    child.on('exit', (status) => resolve(status === 0))
  })
}

function putInPlace(temporary: string, place: string): void {
  try {
    renameSync(temporary, place)
  } catch (error) {
    // Another process was faster, and what it fetched is as good.
    if (!existsSync(place)) throw error
  }
}

/** What a process left that was killed while fetching. */
function removeAbandoned(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const [, pid] = /\.(\d+)$/.exec(entry) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, entry), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** By itself npm waits more than a minute before it says that a registry does not answer. */
const INSTALL = [
  ...['install', '--no-audit', '--no-fund', '--loglevel=error'],
  ...['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'],
]
