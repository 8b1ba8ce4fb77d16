// npm test [-- FILTER… --node-flag…]: every test, or those whose path contains one of the filters.
//   npm test -- scheduler            the tests of scheduler/
//   npm test -- cli --test-name-pattern=width
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const TEST_TIMEOUT_MS = 600_000

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const filters = args.filter((arg) => !arg.startsWith('-')).map((arg) => arg.replace(/^\.\//, ''))
const flags = args.filter((arg) => arg.startsWith('-'))
// Those with real agents need a gigabyte of programs: `npm run test:agents`.
const files = globSync('test/**/*.test.ts', { cwd: root })
  .filter((file) => !file.startsWith('test/real-agents/'))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort()

if (files.length === 0) {
  process.stderr.write(`no test file matches ${filters.join(' ') || 'test/**/*.test.ts'}\n`)
  process.exit(1)
}

const reporter = flags.some((flag) => flag.startsWith('--test-reporter')) ? [] : ['--test-reporter=spec']
const child = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--test',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    // A test file mostly waits for child processes: one file per core keeps the machine busy, not swamped.
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    ...reporter,
    ...flags,
    ...files,
  ],
  { cwd: root, stdio: 'inherit' },
)
process.on('SIGINT', () => {}) // the terminal tells the child as well: wait for its summary
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
