// Test files split over two workers against their own runner in one folder: two hundred of this project's own, and two hundred that
// get in each other's way where two of them run in one folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readJunit } from '../src/workloads/suite/junit.ts'
import { atLeast, atMost, type Benchmark, type Report, type Scene } from './benchmark.ts'
import { createSampleRepository } from './sample-repository.ts'
import { runSuite } from './suite-run.ts'

export const suiteSplit: Benchmark = {
  name: 'suite-split',
  about: 'test files split over two workers, against their own runner in one folder',
  async run(scene) {
    const parts = [await stateful(scene), await own(scene)]
    return { tables: parts.flatMap(({ tables }) => tables), bars: parts.flatMap(({ bars }) => bars) }
  },
}

const STATEFUL = 200

/** Each writes the same file in its folder and finds it changed where another one runs there, too. */
async function stateful({ scratch, say }: Scene): Promise<Report> {
  const repo = join(scratch, 'stateful')
  await createSampleRepository(repo, 200)
  mkdirSync(join(repo, 'test'))
  for (let n = 0; n < STATEFUL; n++) writeFileSync(join(repo, `test/t${n}.test.mjs`), statefulTest(n))
  for (const args of [
    ['add', '-A'],
    ['commit', '-qm', 'tests'],
  ])
    execFileSync('git', args, { cwd: repo })
  return sideBySide('a stateful suite', repo, { files: ['test/*.test.mjs'], flags: ['--test-concurrency=1'], say })
}

function statefulTest(n: number): string {
  return `import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'node:test'
test('${n}', async () => {
  writeFileSync('state', '${n}')
  await wait(20)
  if (readFileSync('state', 'utf8') !== '${n}') throw new Error('overwritten')
})
`
}

/**
 * What needs no engine, no package, no network and no other user, as Postgres does (who may not look into a worktree of the pool): a
 * minute instead of four.
 */
const OWN = [
  ...['agents', 'async', 'facts', 'files', 'git', 'landing', 'learning', 'prompts', 'reports'],
  ...['scheduler', 'text', 'workloads', 'workspace'],
]

async function own({ scratch, say }: Scene): Promise<Report> {
  const repo = join(scratch, 'own')
  execFileSync('git', ['clone', '-q', ROOT, repo])
  const modules = join(ROOT, 'node_modules')
  symlinkSync(modules, join(repo, 'node_modules'))
  const files = OWN.map((folder) => `test/${folder}/**/*.test.ts`)
  // Two files at a time on both sides.
  const flags = ['--disable-warning=ExperimentalWarning', '--test-concurrency=2']
  const each = ['--disable-warning=ExperimentalWarning', '--test-concurrency=1']
  return sideBySide("this project's own tests", repo, {
    files,
    flags,
    each,
    setup: `ln -s ${modules} node_modules`,
    say,
  })
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** `each`: flags of the runner of each worker, where they are not the same. */
type Sides = { files: string[]; flags: string[]; each?: string[]; setup?: string; say: Scene['say'] }

/** The suite learns what the files take in a run that is not counted. Then both sides run in turn, and the faster run of each counts. */
async function sideBySide(what: string, repo: string, sides: Sides): Promise<Report> {
  const { files, flags, each = flags, setup, say } = sides
  const run = `${process.execPath} --test ${each.join(' ')} ${reporter('"$ESPALIER_LOG_DIR/junit.xml"')} {files}`
  const head = { workers: 2, retries: 0, ...(setup ? { setup } : {}) }
  const split = () => runSuite(repo, [{ id: 'tests', files, run }], head)
  say(`${what}: split over 2 workers, which measures the files`)
  await split()
  say(`${what}: ${TURNS} times its own runner in one folder, and split`)
  const [turns, splits] = [[] as ReturnType<typeof ownRunner>[], [] as Awaited<ReturnType<typeof split>>[]]
  for (let n = 0; n < TURNS; n++) {
    turns.push(ownRunner(repo, files, flags))
    splits.push(await split())
  }
  const alone = turns.reduce((best, one) => (one.ms < best.ms ? one : best))
  const report = splits.reduce((best, one) => (one.wallMs < best.wallMs ? one : best))
  const { tests, failures } = countsOf(report)
  const parts = report.entries.map(({ durationMs }) => (durationMs ?? 0) / 1000).sort((a, b) => b - a)
  say(`${what}: parts of ${parts.map((seconds) => `${seconds.toFixed(1)} s`).join(', ')}`)
  const verdicts = [...turns, ...splits.map(countsOf)].map((one) => `${one.ok} ${one.tests} ${one.failures}`)
  const isSame = new Set(verdicts).size === 1
  return {
    tables: [
      {
        title: what,
        columns: ['', 's', 'tests', 'failed'],
        rows: [
          ['its own runner, one folder', alone.ms / 1000, alone.tests, alone.failures],
          ['suite run --shards auto -j 2', report.wallMs / 1000, tests, failures],
        ],
      },
    ],
    bars: [
      atMost(`${what}: wall time / its own runner`, report.wallMs / alone.ms, 1.05, '×'),
      atLeast(`${what}: the same verdicts`, Number(isSame), 1),
    ],
  }
}

function countsOf({ ok, entries }: Awaited<ReturnType<typeof runSuite>>) {
  const sum = (name: string) => entries.reduce((total, { counts }) => total + (counts?.[name] ?? 0), 0)
  return { ok, tests: sum('tests'), failures: sum('failures') + sum('errors') }
}

/** Machines are up to a third slower from one minute to the next. */
const TURNS = 2

function ownRunner(repo: string, files: string[], flags: string[]) {
  const junit = `${repo}-junit.xml`
  const command = [process.execPath, '--test', ...flags, reporter(junit), ...files.map((glob) => `'${glob}'`)].join(' ')
  const start = performance.now()
  // Entries of a suite do not inherit it either.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const { status } = spawnSync('sh', ['-c', command], { cwd: repo, stdio: 'ignore', env })
  const ms = performance.now() - start
  const cases = readJunit(readFileSync(junit, 'utf8'))?.cases ?? []
  const failures = cases.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length
  return { ok: status === 0, ms, tests: cases.length, failures }
}

function reporter(junit: string): string {
  return `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${junit}`
}
