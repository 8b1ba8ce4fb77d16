// How many git processes a landing takes, and how long: this checkout, and another one beside it in turns (`--baseline DIR`, ready
// to run: with its node_modules). The processes of a task are counted in cost-per-task.ts.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, type Bar, type Benchmark, type Table } from './benchmark.ts'
import { sampleBranches } from './landing.ts'
import type { Landings } from './landing-probe.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const BRANCHES = 64
const FILES = 10_000
const REPEATS = 3

export const processes: Benchmark = {
  name: 'processes',
  about: `git processes and time for each of ${BRANCHES} landings`,
  async run({ scratch, baseline }) {
    const sides = [{ name: 'this', checkout: HERE }, ...(baseline ? [{ name: 'other', checkout: baseline }] : [])]
    const [tables, bars]: [Table[], Bar[]] = [[], []]
    const repo = join(scratch, 'landing')
    const paths = await createSampleRepository(repo, FILES)
    const { base, works } = sampleBranches(repo, paths, BRANCHES)
    const landings: Landings[][] = sides.map(() => [])
    for (let n = 0; n < REPEATS; n++)
      for (const [at, { checkout }] of sides.entries())
        landings[at]?.push(probe(checkout, repo, `run-${n}-${at}`, base, works))
    const each = landings.map((all) => all.map(({ ms }) => median(ms)))
    tables.push(table(`one landing of ${BRANCHES} on ${FILES.toLocaleString('en-US')} files, ms`, sides, each))
    const counts = landings.map((all) => median(all.map(({ processes }) => processes)))
    const rows = sides.map(({ name }, at): [string, number] => [name, counts[at] as number])
    tables.push({ title: 'git processes for a landing', columns: ['', ''], rows })
    bars.push(atMost('git processes for a landing', counts[0] as number, 4))
    if (baseline) bars.push(atMost('one landing / the other checkout', ratioOf(each), 0.7, '×'))
    return { tables, bars }
  },
}

type Side = { name: string; checkout: string }

function table(title: string, sides: Side[], all: number[][]): Table {
  const own = median(all[0] as number[])
  const rows = sides.map(({ name }, at) => [name, median(all[at] as number[]), own / median(all[at] as number[])])
  return { title, columns: ['', 'ms', 'this / it'], rows }
}

function ratioOf([mine = [], theirs = []]: number[][]): number {
  return median(mine.map((ms, n) => ms / (theirs[n] as number)))
}

function probe(checkout: string, repo: string, run: string, base: string, works: string[]): Landings {
  const file = fileURLToPath(new URL('landing-probe.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', file, checkout, repo, run, base, ...works]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Landings
}
