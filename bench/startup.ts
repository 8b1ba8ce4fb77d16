// How long a person waits for the installed package: for a word of the command line, for the first task of a run, and for the
// end of short runs. With `--baseline DIR` beside the package of another checkout, in turns, so that a busy moment hits both.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Benchmark } from './benchmark.ts'
import { installedFrom, installedHere } from './installed.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

type Case = {
  name: string
  repeats: number
  /** In ms, of the command `bin`. */
  measure: (bin: string, desk: Desk) => number
}

const SLOTS = 4
const SECONDS = 12
const ECHOES = 100

const CASES: readonly Case[] = [
  { name: '--version', repeats: 15, measure: (bin, desk) => desk.time([bin, '--version']) },
  // There is no repository, which it says by its exit status.
  { name: 'status, empty folder', repeats: 15, measure: (bin, desk) => desk.time([bin, 'status'], 2) },
  { name: 'run, up to its first task', repeats: 9, measure: firstTask },
  { name: `run, ${SECONDS} × 1 s, ${SLOTS} slots`, repeats: 3, measure: tasks(SECONDS, 'sleep 1 && echo') },
  { name: `run, ${ECHOES} × echo, ${SLOTS} slots`, repeats: 3, measure: tasks(ECHOES, 'echo') },
]

export const startup: Benchmark = {
  name: 'startup',
  about: 'the installed package: first words, first task, short runs',
  async run({ scratch, baseline, say }) {
    say('packing and installing')
    const bins = [installedHere(join(scratch, 'package'))]
    if (baseline !== null) bins.push(installedFrom(baseline, join(scratch, 'baseline')))
    const desk = await Desk.open(scratch)
    const bare: number[] = []
    const times = CASES.map(() => bins.map((): number[] => []))
    for (const [index, { name, repeats, measure }] of CASES.entries()) {
      say(name)
      // The first time fills caches.
      for (let n = 0; n <= repeats; n++) {
        bare.push(desk.time(['-e', '0']))
        for (const [which, bin] of bins.entries()) {
          const ms = measure(bin, desk)
          if (n > 0) times[index]?.[which]?.push(ms)
        }
      }
    }
    const node = median(bare)
    const medians = times.map((ofCase) => ofCase.map(median))
    const rows = CASES.map(({ name }, index) => {
      const [own = 0, before] = medians[index] ?? []
      return [name, own, own / node, ...(before === undefined ? [] : [before, before / node, own / before])]
    })
    const columns = ['', 'ms', '× node', ...(baseline === null ? [] : ['baseline ms', '× node', 'of baseline'])]
    const own = (index: number): number => medians[index]?.[0] ?? 0
    const [, echoesBefore] = medians[4] ?? []
    const bars = [
      atMost('status, empty folder', own(1) / node, 2.5, '× node'),
      atMost('run, up to its first task', own(2) / node, 8, '× node'),
      atMost(`${SECONDS} × 1 s, of ${SECONDS / SLOTS} s`, own(3) / ((SECONDS / SLOTS) * 1000), 1.3, '×'),
      ...(echoesBefore === undefined ? [] : [atMost(`${ECHOES} × echo`, own(4) / echoesBefore, 0.7, 'of baseline')]),
    ]
    return { tables: [{ title: 'medians', columns, rows: [['node -e 0', node, 1], ...rows] }], bars }
  },
}

class Desk {
  readonly #scratch: string
  readonly #template: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(scratch: string) {
    this.#scratch = scratch
    this.#template = join(scratch, 'template')
    // What this process keeps compiled is not what a person has.
    const { NODE_COMPILE_CACHE: _, ...env } = process.env
    this.#env = { ...env, HOME: join(scratch, 'home'), NO_COLOR: '1' }
  }

  static async open(scratch: string): Promise<Desk> {
    const desk = new Desk(scratch)
    for (const folder of ['home', 'empty']) mkdirSync(join(scratch, folder))
    await createSampleRepository(desk.#template, 200)
    return desk
  }

  /** From the start to the end of the process. */
  time(args: readonly string[], status = 0, cwd = join(this.#scratch, 'empty')): number {
    const start = performance.now()
    const ended = spawnSync(process.execPath, args, { cwd, env: this.#env, encoding: 'utf8' })
    const ms = performance.now() - start
    if (ended.status !== status) throw new Error(`${args.join(' ')} ended with ${ended.status}: ${ended.stderr}`)
    return ms
  }

  /** A repository that nothing was ever run in, with a plan of these commands. */
  withPlan<T>(commands: readonly string[], use: (repo: string) => T): T {
    const folder = mkdtempSync(join(this.#scratch, 'run-'))
    const repo = join(folder, 'repo')
    cpSync(this.#template, repo, { recursive: true })
    const tasks = commands.map((run, n) => ({ id: `t${n}`, run }))
    writeFileSync(join(folder, 'plan.json'), JSON.stringify({ name: 'bench', tasks }))
    try {
      return use(repo)
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    }
  }
}

/** The time at which a file was written that is the first thing the task does. */
function firstTask(bin: string, desk: Desk): number {
  return desk.withPlan(['echo >../../../mark; echo 1 >one.txt'], (repo) => {
    const start = Date.now()
    desk.time([bin, 'run', '../plan.json'], 0, repo)
    return statSync(join(repo, '..', 'mark')).mtimeMs - start
  })
}

function tasks(count: number, command: string): Case['measure'] {
  const commands = Array.from({ length: count }, (_, n) => `${command} ${n} >result-${n}.txt`)
  return (bin, desk) =>
    desk.withPlan(commands, (repo) => desk.time([bin, 'run', '../plan.json', '-j', String(SLOTS)], 0, repo))
}
