// How many processes a task and a landing take, and how long a landing takes: this checkout, and another one beside it in
// turns (`--baseline DIR`, ready to run: with its node_modules). What it makes of whole runs is in startup.ts.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  about: `processes for a task; processes and time for each of ${BRANCHES} landings`,
  async run({ scratch, baseline, say }) {
    const sides = [{ name: 'this', checkout: HERE }, ...(baseline ? [{ name: 'other', checkout: baseline }] : [])]
    const [tables, bars]: [Table[], Bar[]] = [[], []]
    const hasStrace = canTrace()
    if (!hasStrace) say('there is no strace: the processes of a task are not counted')
    for (const { name, checkout } of hasStrace ? sides : []) {
      say(`counting the processes of ${name}`)
      const { all, started } = await perTask(scratch, checkout)
      const rows = started.map(([what, count]): [string, number] => [what, count])
      tables.push({
        title: `processes for a task (${name}), its agent's left out: ${all}`,
        columns: ['program', ''],
        rows,
      })
      if (checkout === HERE) bars.push(atMost("processes for a task beside its agent's", all, 12))
    }
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

/** Tasks that print, and change a file each. */
async function planned(folder: string, tasks: number): Promise<{ repo: string; plan: string }> {
  const repo = join(folder, 'repo')
  await createSampleRepository(repo, 200)
  const plan = join(folder, 'plan.json')
  const all = Array.from({ length: tasks }, (_, n) => ({ id: `t${n}`, run: `echo ${n} >result-${n}; echo done ${n}` }))
  writeFileSync(plan, JSON.stringify({ name: 'bench', tasks: all }))
  return { repo, plan }
}

function espalier(checkout: string, plan: string): string[] {
  return ['--disable-warning=ExperimentalWarning', join(checkout, 'bin', 'espalier.js'), 'run', plan, '-j', '4']
}

function probe(checkout: string, repo: string, run: string, base: string, works: string[]): Landings {
  const file = fileURLToPath(new URL('landing-probe.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', file, checkout, repo, run, base, ...works]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Landings
}

// Counting: every process that a run starts, by strace; twenty tasks more make the difference.

const MORE = 20

/** By program, each beside the command of the task itself, which is one process. */
async function perTask(scratch: string, checkout: string): Promise<{ all: number; started: [string, number][] }> {
  const one = await traced(join(scratch, 'one'), checkout, 1)
  const many = await traced(join(scratch, 'many'), checkout, 1 + MORE)
  for (const name of ['one', 'many']) rmSync(join(scratch, name), { recursive: true })
  const share = (name: string) => ((many.programs.get(name) ?? 0) - (one.programs.get(name) ?? 0)) / MORE
  const started = [...many.programs.keys()].map((name): [string, number] => [name, share(name)])
  return {
    all: (many.processes - one.processes) / MORE - 1,
    started: started.filter(([, count]) => count > 0).sort(([a], [b]) => a.localeCompare(b)),
  }
}

async function traced(folder: string, checkout: string, tasks: number) {
  const { repo, plan } = await planned(folder, tasks)
  const traces = join(folder, 'traces')
  mkdirSync(traces)
  const watch = ['-ff', '-qq', '-s', '200', '-e', 'trace=execve,clone,clone3,fork,vfork', '-o', join(traces, 't')]
  const args = [...watch, process.execPath, ...espalier(checkout, plan)]
  execFileSync('strace', args, { cwd: repo, stdio: ['ignore', 'ignore', 'inherit'] })
  const programs = new Map<string, number>()
  let processes = 0
  for (const name of readdirSync(traces))
    for (const line of readFileSync(join(traces, name), 'utf8').split('\n')) {
      if (/^(clone|clone3|fork|vfork)\(/.test(line) && !line.includes('CLONE_THREAD')) processes++
      const program = /^execve\("([^"]+)", \[(.*)\], .* = 0$/.exec(line)
      if (!program) continue
      const called = nameOf(program[1] as string, program[2] as string)
      programs.set(called, (programs.get(called) ?? 0) + 1)
    }
  return { programs, processes }
}

/** `git read-tree`, `split`; shells by what they are for. */
function nameOf(path: string, words: string): string {
  const program = path.slice(path.lastIndexOf('/') + 1)
  if (program === 'sh')
    return /set -f/.test(words) ? 'sh (supervisor)' : /FILE/.test(words) ? 'sh (a chunk)' : 'sh (the task)'
  if (program !== 'git') return program
  const args = [...words.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word as string).slice(1)
  return `git ${args.find((word, n) => word !== '-c' && args[n - 1] !== '-c')}`
}

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
