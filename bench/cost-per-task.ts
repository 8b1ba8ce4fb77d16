// What one trivial task costs the machine: processes, system calls, files, and time of the engine's own thread. Counted by strace
// and by V8's profiler over many tasks, of which the cost of one task is the difference to a run with fewer.
//
//   warm   a task more in a repository whose worktrees exist
//   cold   the same, with what it takes to make its worktree
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Benchmark, type Table } from './benchmark.ts'
import { installedFrom, installedHere } from './installed.ts'
import { createSampleRepository } from './sample-repository.ts'

const SLOTS = 4
const MORE = 20
/** For the profile: few tasks give few samples. */
const PROFILED = 200
const FUNCTIONS = 25

export const costPerTask: Benchmark = {
  name: 'cost-per-task',
  about: 'one trivial task: its processes, system calls and files; the engine by function',
  async run({ scratch, baseline, say }) {
    say('packing and installing')
    const bins = [installedHere(join(scratch, 'package'))]
    if (baseline !== null) bins.push(installedFrom(baseline, join(scratch, 'baseline')))
    const hasStrace = canTrace()
    if (!hasStrace) say('there is no strace: processes, system calls and files are not counted')
    const tables: Table[] = []
    const bars = []
    for (const [n, bin] of bins.entries()) {
      const side = n === 0 ? 'this' : 'the baseline'
      if (hasStrace) {
        say(`counting: ${side}`)
        const { warm, cold } = await counted(join(scratch, `counted-${n}`), bin)
        tables.push(...KINDS.map((kind) => countTable(`${kind}, ${side}`, warm[kind], cold[kind])))
        if (n === 0) {
          bars.push(atMost("processes, its own command's left out", sumOf(warm.processes) - 1, 5))
          bars.push(atMost('files made', warm.files.get('file made') ?? 0, 12))
        }
      }
      say(`profiling: ${side}`)
      tables.push(await profiled(join(scratch, `profiled-${n}`), bin, side))
    }
    return { tables, bars }
  },
}

const KINDS = ['processes', 'files', 'system calls'] as const

/** How often something happened, by its name. */
type Tally = Map<string, number>
type Tallies = Record<(typeof KINDS)[number], Tally>

function countTable(title: string, warm: Tally, cold: Tally): Table {
  const names = [...new Set([...warm.keys(), ...cold.keys()])]
  const rows = names
    .map((name): [string, number, number] => [name, warm.get(name) ?? 0, cold.get(name) ?? 0])
    .filter(([, a, b]) => Math.abs(a) >= 0.1 || Math.abs(b) >= 0.1)
    .sort((a, b) => b[1] - a[1] || b[2] - a[2])
  const all: [string, number, number] = ['in all', sumOf(warm), sumOf(cold)]
  return { title: `${title}, for one task`, columns: ['', 'warm', 'cold'], rows: [all, ...rows.slice(0, 40)] }
}

function sumOf(tally: Tally): number {
  return [...tally.values()].reduce((sum, count) => sum + count, 0)
}

async function counted(scratch: string, bin: string): Promise<{ warm: Tallies; cold: Tallies }> {
  const desk = await openDesk(scratch, bin)
  const first = desk.traced('first', SLOTS)
  const again = desk.traced('again', SLOTS)
  const more = desk.traced('more', SLOTS + MORE)
  rmSync(scratch, { recursive: true })
  const each = (of: (kind: (typeof KINDS)[number]) => Tally): Tallies => ({
    processes: of('processes'),
    files: of('files'),
    'system calls': of('system calls'),
  })
  const warm = each((kind) => perTask(more[kind], again[kind], MORE))
  const worktree = each((kind) => perTask(first[kind], again[kind], SLOTS))
  const plus = (a: Tally, b: Tally): Tally =>
    new Map([...new Set([...a.keys(), ...b.keys()])].map((name) => [name, (a.get(name) ?? 0) + (b.get(name) ?? 0)]))
  return { warm, cold: each((kind) => plus(warm[kind], worktree[kind])) }
}

function perTask(more: Tally, fewer: Tally, tasks: number): Tally {
  const names = [...new Set([...more.keys(), ...fewer.keys()])]
  return new Map(names.map((name) => [name, ((more.get(name) ?? 0) - (fewer.get(name) ?? 0)) / tasks]))
}

/** A repository, and the installed command in it. */
async function openDesk(scratch: string, bin: string) {
  const repo = join(scratch, 'repo')
  await createSampleRepository(repo, 200)
  const { NODE_COMPILE_CACHE: _, NODE_OPTIONS: __, ...own } = process.env
  const env = { ...own, HOME: scratch, NO_COLOR: '1' }
  const command = (name: string, tasks: number): string[] => {
    const plan = join(scratch, `${name}.json`)
    // A file for each, with a name of its own in each run: a task that changes nothing has nothing to land.
    const all = Array.from({ length: tasks }, (_, n) => ({ id: `t${n}`, run: `echo ${n} >${name}-${n}` }))
    writeFileSync(plan, JSON.stringify({ name, tasks: all }))
    return [bin, 'run', plan, '-j', `${SLOTS}`]
  }
  const execute = (program: string, args: string[]) =>
    execFileSync(program, args, { cwd: repo, env, stdio: ['ignore', 'ignore', 'inherit'] })
  return {
    traced(name: string, tasks: number): Tallies {
      const folder = join(scratch, `${name}-traces`)
      mkdirSync(folder)
      const watch = ['-ff', '-qq', '-s', '200', '-o', join(folder, 't')]
      execute('strace', [...watch, process.execPath, ...command(name, tasks)])
      return tallied(folder)
    },
    profile(name: string, tasks: number): Profile {
      const folder = join(scratch, `${name}-profile`)
      execute(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${folder}`, ...command(name, tasks)])
      const largest = readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .sort((a, b) => b.length - a.length)[0]
      return JSON.parse(largest ?? '{}') as Profile
    },
  }
}

function tallied(folder: string): Tallies {
  const tallies: Tallies = { processes: new Map(), files: new Map(), 'system calls': new Map() }
  const count = (kind: keyof Tallies, name: string) => tallies[kind].set(name, (tallies[kind].get(name) ?? 0) + 1)
  for (const file of readdirSync(folder)) {
    let isThread = true
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      const call = /^(\w+)\(/.exec(line)?.[1]
      if (call === undefined) continue
      count('system calls', call)
      const program = call === 'execve' && / = 0$/.test(line) && /^execve\("([^"]+)", \[(.*)\], /.exec(line)
      if (program) {
        isThread = false
        count('processes', nameOf(program[1] as string, program[2] as string))
      }
      const change = fileChange(call, line)
      if (change) count('files', change)
    }
    if (isThread) count('system calls', '(a thread, or a process that started no program)')
  }
  return tallies
}

/** What a system call did to the file system; null: nothing, or it failed. */
function fileChange(call: string, line: string): string | null {
  if (/ = -1 |"\/(?:dev|proc|sys)\//.test(line)) return null
  if (/^(open|openat|creat)$/.test(call)) return line.includes('O_CREAT') ? 'file made' : null
  if (/^(link|linkat|symlink|symlinkat)$/.test(call)) return 'link made'
  if (/^mkdir(at)?$/.test(call)) return 'folder made'
  if (/^rename(at2?)?$/.test(call)) return 'renamed'
  if (/^(unlink(at)?|rmdir)$/.test(call)) return /^rmdir|AT_REMOVEDIR/.test(line) ? 'folder removed' : 'file removed'
  return /^(fsync|fdatasync|sync|syncfs|sync_file_range)$/.test(call) ? 'synced' : null
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

type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** The engine's thread by function, in µs for a task: a run of few tasks is taken off, so that the start does not count. */
async function profiled(scratch: string, bin: string, side: string): Promise<Table> {
  const desk = await openDesk(scratch, bin)
  desk.profile('first', SLOTS)
  const few = selfTimes(desk.profile('few', SLOTS))
  const many = selfTimes(desk.profile('many', SLOTS + PROFILED))
  rmSync(scratch, { recursive: true })
  const each = perTask(many, few, PROFILED)
  const busy = [...each].filter(([name]) => name !== '(idle)')
  const rows = busy.sort(([, a], [, b]) => b - a).slice(0, FUNCTIONS)
  const all = busy.reduce((sum, [, us]) => sum + us, 0)
  return {
    title: `the engine's thread, ${side}, µs for one task`,
    columns: ['', 'µs'],
    rows: [['in all', all], ...rows],
  }
}

function selfTimes({ nodes, samples, timeDeltas }: Profile): Tally {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url === '' ? '' : ` ${url.slice(url.lastIndexOf('/') + 1)}:${lineNumber + 1}`
      return [id, `${functionName || '(nameless)'}${place}`]
    }),
  )
  const times: Tally = new Map()
  for (const [n, sample] of samples.entries()) {
    const name = names.get(sample) ?? ''
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[n] ?? 0))
  }
  return times
}
