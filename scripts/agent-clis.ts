// The coding agents that `npm run test:agents` tries: fetched from the npm registry at these versions, into a cache
// outside the repository (about 1.2 GB), each into a folder of its own. They are never dependencies of the package.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const AGENT_CLIS = {
  claude: '@anthropic-ai/claude-code@2.1.325',
  codex: '@openai/codex@0.166.0',
  opencode: 'opencode-ai@1.18.33',
  gemini: '@google/gemini-cli@0.61.0',
} as const

/** The folder that holds them: `<folder>/claude/node_modules/.bin/claude` and so on. Exits if one cannot be fetched. */
export function agentClis(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const versions = Object.values(AGENT_CLIS).map((one) => one.slice(one.lastIndexOf('@') + 1))
  const folder = join(cache, 'espalier', 'agent-clis', versions.join('_'))
  for (const [name, spec] of Object.entries(AGENT_CLIS)) {
    const place = join(folder, name)
    if (existsSync(place)) continue
    const temporary = `${place}.${process.pid}`
    mkdirSync(temporary, { recursive: true })
    writeFileSync(join(temporary, 'package.json'), '{"private":true}\n')
    process.stderr.write(`fetching ${spec} …\n`)
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', spec]
    const { status } = spawnSync('npm', args, { cwd: temporary, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) {
      rmSync(temporary, { recursive: true, force: true })
      process.stderr.write(
        `${spec} could not be fetched from the npm registry. The tests with real agents need it: check the network and try again.\n`,
      )
      process.exit(1)
    }
    // Another process may have been faster.
    if (existsSync(place)) rmSync(temporary, { recursive: true, force: true })
    else renameSync(temporary, place)
  }
  return folder
}
