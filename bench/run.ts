// All benchmarks, or those named, one after the other.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readFlags } from '../scripts/read-flags.ts'
import { type Benchmark, holds, type Report } from './benchmark.ts'
import { costPerTask } from './cost-per-task.ts'
import { dashboard } from './dashboard.ts'
import { dataWalk } from './data-walk.ts'
import { fleet } from './fleet.ts'
import { formats } from './formats.ts'
import { kept } from './kept.ts'
import { landing } from './landing.ts'
import { learning } from './learning.ts'
import { liveView } from './live-view.ts'
import { machine, machineText } from './machine.ts'
import { makespan } from './makespan.ts'
import { many } from './many.ts'
import { memory } from './memory.ts'
import { planning } from './planning.ts'
import { reportText } from './print.ts'
import { processes } from './processes.ts'
import { queue } from './queue.ts'
import { resume } from './resume.ts'
import { scheduler } from './scheduler.ts'
import { search } from './search.ts'
import { server } from './server.ts'
import { shell } from './shell.ts'
import { startup } from './startup.ts'
import { store } from './store.ts'
import { suite } from './suite.ts'
import { suiteSplit } from './suite-split.ts'
import { wall } from './wall.ts'

const ALL: Benchmark[] = [
  startup,
  costPerTask,
  makespan,
  scheduler,
  fleet,
  planning,
  formats,
  resume,
  wall,
  memory,
  landing,
  processes,
  queue,
  learning,
  search,
  server,
  shell,
  store,
  suite,
  liveView,
  dashboard,
  suiteSplit,
  kept,
  many,
  dataWalk,
]

const USAGE = `npm run bench -- [NAME…] [--list] [--json] [--full] [--baseline DIR] [--dir DIR]
  --list      names the benchmarks
  --json      one JSON object at the end instead of tables
  --full      nothing is shortened: all 24 tasks through the shell version on 20,000 files, ten minutes of \`server\`
  --baseline  another checkout, for those that compare with one
  --dir       where the throw-away repositories go, instead of the system's temporary folder`

const { values, positionals } = readFlags(USAGE, {
  allowPositionals: true,
  options: {
    ...{ json: { type: 'boolean' }, full: { type: 'boolean' }, list: { type: 'boolean' } },
    ...{ dir: { type: 'string' }, baseline: { type: 'string' } },
  },
})
const unknown = positionals.filter((name) => !ALL.some((one) => one.name === name))
if (values.list || unknown.length > 0) {
  const names = ALL.map((one) => `  ${one.name.padEnd(10)} ${one.about}`).join('\n')
  process.stderr.write(`${unknown.length > 0 ? `no such benchmark: ${unknown.join(', ')}\n` : ''}${names}\n`)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const parent = resolve(values.dir ?? tmpdir())
const root = mkdtempSync(join(parent, 'espalier-bench-'))
chmodSync(root, 0o755) // as root, the Postgres of \`fleet\` runs as another user
// Whatever a benchmark makes for itself (attempts have temporary folders, too) goes away with the rest.
process.env.TMPDIR = root
const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
process.on('exit', remove)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const start = performance.now()
const here = machine(root)
if (!values.json) process.stdout.write(`${machineText(here)}\n`)
const reports: (Report & { name: string; seconds: number })[] = []
for (const one of ALL.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const scratch = join(root, one.name)
  mkdirSync(scratch)
  const began = performance.now()
  const say = (message: string) => void process.stderr.write(`${one.name}: ${message}\n`)
  const baseline = values.baseline === undefined ? null : resolve(values.baseline)
  const report = await one.run({ scratch, full: values.full ?? false, baseline, say })
  const seconds = Math.round((performance.now() - began) / 100) / 10
  reports.push({ name: one.name, seconds, ...report })
  if (!values.json) process.stdout.write(`\n## ${one.name}: ${one.about} (${seconds} s)\n\n${reportText(report)}`)
}
const bars = reports.flatMap((report) => report.bars)
if (values.json) {
  const marked = reports.map((report) => ({
    ...report,
    bars: report.bars.map((bar) => ({ ...bar, pass: holds(bar) })),
  }))
  process.stdout.write(`${JSON.stringify({ machine: here, benchmarks: marked })}\n`)
} else {
  const minutes = ((performance.now() - start) / 60_000).toFixed(1)
  process.stdout.write(`\n${bars.filter(holds).length} of ${bars.length} bars hold; ${minutes} minutes\n`)
}
// A listener for signals keeps nothing alive, but a supervisor that is still ending might.
process.exit(0)
