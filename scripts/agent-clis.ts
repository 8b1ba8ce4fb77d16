// The coding agents that `npm run test:agents` tries: fetched from the npm registry at these versions, into a cache
// outside the repository (about 1.2 GB), each into a folder of its own. They are never dependencies of the package.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const AGENT_CLIS = {
  claude: '@anthropic-ai/claude-code@2.1.325',
  codex: '@openai/codex@0.166.0',
  opencode: 'opencode-ai@1.18.33',
  gemini: '@google/gemini-cli@0.61.0',
} as const

/** The folder that holds them: `<folder>/claude/node_modules/.bin/claude` and so on. */
export function agentClisFolder(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const versions = Object.values(AGENT_CLIS).map((one) => one.slice(one.lastIndexOf('@') + 1))
  return join(cache, 'espalier', 'agent-clis', versions.join('_'))
}

/**
 * Fetches what is not there yet, all at the same time. Gives what went wrong, one sentence for each.
 *
 * A program is fetched into a folder of its own process, tried, and put in its place by a rename: what is in place is
 * whole, whoever is killed while fetching and however many do it at once.
 */
export async function fetchClis(folder: string, specs: Readonly<Record<string, string>>): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  removeAbandoned(folder)
  const wanted = Object.entries(specs).filter(([name]) => !existsSync(join(folder, name)))
  const troubles = await Promise.all(wanted.map(([name, spec]) => fetchOne(join(folder, name), name, spec)))
  return troubles.filter((trouble) => trouble !== null)
}

async function fetchOne(place: string, name: string, spec: string): Promise<string | null> {
  const temporary = `${place}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  try {
    writeFileSync(join(temporary, 'package.json'), '{"private":true}\n')
    process.stderr.write(`fetching ${spec} …\n`)
    if (!(await succeeds('npm', INSTALL.concat(spec), temporary)))
      return `${spec} could not be fetched from the npm registry: check the network and try again.`
    // npm calls it a success, too, when the part that holds the program could not be fetched.
    if (!(await succeeds(join(temporary, 'node_modules', '.bin', name), ['--version'], temporary)))
      return `${spec} was fetched, but \`${name} --version\` fails: is there a version of it for this machine?`
    putInPlace(temporary, place)
    return null
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
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

/** What it prints is for whoever waits for it, but is no output of this program. */
function succeeds(program: string, args: readonly string[], cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', process.stderr, process.stderr] })
    child.on('error', () => resolve(false))
    child.on('exit', (status) => resolve(status === 0))
  })
}

/** By itself npm waits more than a minute before it says that a registry does not answer. */
const INSTALL = [
  ...['install', '--no-audit', '--no-fund', '--loglevel=error'],
  ...['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'],
]
