// What kept runs cost: `espalier status` of the installed package beside many of them, and beside one.
import { join } from 'node:path'
import { atMost, type Benchmark } from './benchmark.ts'
import { commandPlan, runPlan } from './espalier-run.ts'
import { installedHere, timedCommand } from './installed.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const KEPT = 500
const REPEATS = 25

export const kept: Benchmark = {
  name: 'kept',
  about: `status beside ${KEPT} kept runs`,
  async run({ scratch, say }) {
    say('packing and installing')
    const bin = installedHere(join(scratch, 'package'))
    const counts = [1, KEPT]
    const repos = counts.map((count) => join(scratch, `kept-${count}`))
    for (const [index, count] of counts.entries()) {
      say(`${count} runs`)
      await runs(repos[index] ?? '', count)
    }
    say('status')
    const times = repos.map((): number[] => [])
    // In turns, so that a busy moment hits both. The first time fills caches.
    for (let n = 0; n <= REPEATS; n++)
      for (const [index, repo] of repos.entries()) {
        const ms = timedCommand(bin, ['status'], repo)
        if (n > 0) times[index]?.push(ms)
      }
    const [one = 0, many = 0] = times.map(median)
    const rows = [
      ['1 kept run', one],
      [`${KEPT} kept runs`, many],
    ]
    return {
      tables: [{ title: `espalier status, median of ${REPEATS}`, columns: ['', 'ms'], rows }],
      bars: [atMost(`status beside ${KEPT} kept runs`, many / one, 1.3, '× beside one')],
    }
  },
}

async function runs(repo: string, count: number): Promise<void> {
  await createSampleRepository(repo, 200)
  const settings = { history: { runs: null, days: null } }
  for (let n = 0; n < count; n++) await runPlan(repo, commandPlan([`echo ${n} >kept.txt`]), settings)
}
