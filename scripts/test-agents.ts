// The real Claude Code, Codex, opencode and Gemini, and opencode over ACP, against the scripted model on loopback. Where they
// cannot be fetched it fails: nothing is skipped.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AGENT_CLIS, agentClisFolder, fetchClis } from './agent-clis.ts'
import { readFlags } from './read-flags.ts'

/** A test waits longest for four programs that start at once, several times over, on a machine with other work. */
// Twenty interruptions (INTERRUPTIONS=20) take longer than one.
const TEST_TIMEOUT_MS = 300_000 * Math.max(1, Number(process.env.INTERRUPTIONS ?? 1) / 4)
/** Most of the time of a test is waiting; two at once keep two cores busy. */
const FILES_AT_ONCE = 2

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
readFlags('npm run test:agents -- [FILTER…] [--flag-of-node…]', { strict: false })
const filters = args.filter((arg) => !arg.startsWith('-'))
const files = globSync('test/real-agents/*.test.ts', { cwd: root })
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort()
if (files.length === 0) fail([`no test file of test/real-agents matches ${filters.join(' ')}`])

const folder = agentClisFolder()
const troubles = await fetchClis(folder, AGENT_CLIS)
if (troubles.length > 0) fail(['The tests with real agents cannot run:', ...troubles])

const child = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    `--test-concurrency=${FILES_AT_ONCE}`,
    ...args.filter((arg) => arg.startsWith('-')),
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, AGENT_CLIS: folder } },
)
process.on('SIGINT', () => {}) // the terminal tells the child as well: wait for its summary
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))

function fail(lines: string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}
