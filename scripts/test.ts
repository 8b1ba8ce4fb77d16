// npm test [-- FILTER… --node-flag…]: what everybody runs before a commit, or the tests whose path contains a filter.
//   npm test -- scheduler            the tests of scheduler/
//   npm test -- cli --test-name-pattern=width
// Long matrices take a sample (test/rig/sampled.ts); `npm run test:crash` has the whole, `npm run test:docs` the docs and examples.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { currentApp } from '../src/reports/built-app.ts'

const TEST_TIMEOUT_MS = 600_000
const MEMORY = '/dev/shm'
const MIN_MEMORY_BYTES = 2 ** 31

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const filters = args.filter((arg) => !arg.startsWith('-')).map((arg) => arg.replace(/^\.\//, ''))
const flags = args.filter((arg) => arg.startsWith('-'))
// Left out unless they are asked for: docs and examples are slow and change seldom, the dashboard needs a browser; those of the
// fleet start a Postgres, which the first of them fetches; those with real agents need a gigabyte of programs, which
// `npm run test:agents` fetches. Those that kill engines, fill disks, start servers and type commands have scripts of their own;
// some deaths are in `npm test`, too.
const ASKED_FOR = [
  ...['docs', 'examples', 'package', 'dashboard', 'fleet', 'store/postgres'],
  ...['cli', 'server', 'engine/crash', 'engine/faults'],
]
const SAMPLED = /\/engine\/crash\/kill-matrix/
const isAskedFor = (file: string) => ASKED_FOR.some((name) => file.startsWith(`test/${name}/`)) && !SAMPLED.test(file)
const files = globSync('test/**/*.test.ts', { cwd: root })
  .filter((file) => !file.startsWith('test/real-agents/'))
  .filter((file) => filters.length > 0 || !isAskedFor(file))
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort()

if (files.length === 0) {
  process.stderr.write(`no test file matches ${filters.join(' ') || 'test/**/*.test.ts'}\n`)
  process.exit(1)
}

// Pages are the web app with data inside: built once, before several tests at a time would.
if (files.some((file) => /^test\/(?:cli|engine\/suite)\//.test(file))) {
  const app = await currentApp((line) => process.stderr.write(`${line}\n`))
  if (!app.ok) process.stderr.write(`${app.problems[0]?.message}\n`)
}

const slowest = fileURLToPath(new URL('slowest-files.ts', import.meta.url))
const reporters = [...reporterTo('spec'), ...reporterTo(slowest)]
const reporter = flags.some((flag) => flag.startsWith('--test-reporter')) ? [] : reporters
const memory = process.env.TMPDIR ? null : folderInMemory()
const child = spawn(
  process.execPath,
  [
    '--disable-warning=ExperimentalWarning',
    '--test',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    // A test file often waits for child processes: one file more than there are cores keeps the machine busy, not swamped.
    `--test-concurrency=${availableParallelism() + 1}`,
    ...reporter,
    ...flags,
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(memory && { TMPDIR: memory }) } },
)
process.on('SIGINT', () => {}) // the terminal tells the child as well: wait for its summary
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  if (memory) remove(memory)
  process.exit(signal ? 1 : (code ?? 1))
})

function reporterTo(name: string): string[] {
  return [`--test-reporter=${name}`, '--test-reporter-destination=stdout']
}

/**
 * The tests make tens of thousands of small files that live for a second: in memory that takes half of the time it takes
 * on a disk. `TMPDIR=/tmp npm test` has them on the disk. Null where there is no such folder, or no room, or programs
 * may not be started there.
 */
function folderInMemory(): string | null {
  let folder: string | null = null
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < MIN_MEMORY_BYTES) return null
    folder = mkdtempSync(join(MEMORY, 'espalier-'))
    chmodSync(folder, 0o1777) // for everybody, as /tmp is: some tests are about other users
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
  } catch {
    // a system without it, or one that lets nobody write there
  }
  if (folder) remove(folder)
  return null
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    // a test that was ended half-way has left a process that still writes there
    process.stderr.write(`${folder} could not be removed: ${(error as Error).message}\n`)
  }
}
