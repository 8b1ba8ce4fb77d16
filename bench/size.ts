// What size costs: `espalier status` of the installed package beside many kept runs, and a task in a run of many tasks.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Benchmark } from './benchmark.ts'
import { commandPlan, runPlan } from './espalier-run.ts'
import { installedHere } from './installed.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const KEPT = 500
const REPEATS = 25
const SLOTS = 16
const FEW = 200
const MANY = 2_000

export const size: Benchmark = {
  name: 'size',
  about: `${KEPT} kept runs, and ${MANY.toLocaleString('en-US')} tasks in one run`,
  async run({ scratch, say }) {
    say('packing and installing')
    const bin = installedHere(join(scratch, 'package'))
    mkdirSync(join(scratch, 'home'))
    const command = (repo: string, args: readonly string[]) => timed(bin, args, repo, join(scratch, 'home'))

    const repos = ['fresh', 'kept'].map((name) => join(scratch, name))
    const [fresh = '', kept = ''] = repos
    for (const repo of repos) await createSampleRepository(repo, 200)
    say(`${KEPT} runs`)
    await runs(fresh, 1)
    await runs(kept, KEPT)
    say('status')
    const [before, after]: [number[], number[]] = [[], []]
    for (let n = 0; n <= REPEATS; n++) {
      const [one, other] = [command(fresh, ['status']), command(kept, ['status'])]
      // The first time fills caches.
      if (n > 0) before.push(one)
      if (n > 0) after.push(other)
    }

    const [few = 0, many = 0] = await perTask([FEW, MANY], async (count) => {
      say(`${count} tasks`)
      const repo = join(scratch, `tasks-${count}`)
      await createSampleRepository(repo, 200)
      const tasks = Array.from({ length: count }, (_, n) => ({ id: `t${n}`, run: `echo ${n} >result-${n}.txt` }))
      const plan = join(scratch, 'plan.json')
      writeFileSync(plan, JSON.stringify({ name: 'bench', tasks }))
      return command(repo, ['run', plan, '-j', String(SLOTS), '--quiet'])
    })
    return {
      tables: [
        {
          title: `espalier status, ms, median of ${REPEATS}`,
          columns: ['', 'median'],
          rows: [
            ['1 kept run', median(before)],
            [`${KEPT} kept runs`, median(after)],
          ],
        },
        {
          title: `espalier run, ${SLOTS} slots, ms per task`,
          columns: ['tasks', 'ms per task'],
          rows: [
            [FEW, few],
            [MANY, many],
          ],
        },
      ],
      bars: [
        atMost(`status, ${KEPT} kept runs`, median(after) / median(before), 1.3, '× one'),
        atMost(`a task of ${MANY.toLocaleString('en-US')}`, many / few, 1.2, `× one of ${FEW}`),
      ],
    }
  },
}

async function perTask(counts: readonly number[], ms: (count: number) => Promise<number>): Promise<number[]> {
  const all: number[] = []
  for (const count of counts) all.push((await ms(count)) / count)
  return all
}

async function runs(repo: string, count: number): Promise<void> {
  const settings = { history: { runs: null, days: null } }
  for (let n = 0; n < count; n++) await runPlan(repo, commandPlan([`echo ${n} >kept.txt`]), settings)
}

/** From the start to the end of the process. */
function timed(bin: string, args: readonly string[], cwd: string, home: string): number {
  // What this process keeps compiled is not what a person has.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const start = performance.now()
  const ended = spawnSync(process.execPath, [bin, ...args], {
    cwd,
    env: { ...env, HOME: home, NO_COLOR: '1' },
    encoding: 'utf8',
  })
  if (ended.status !== 0) throw new Error(`${args.join(' ')} ended with ${ended.status}: ${ended.stderr}`)
  return performance.now() - start
}
