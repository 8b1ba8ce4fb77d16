// What attempts that run cost in memory: in the engine, and in the supervisors that stand beside it.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, type Benchmark } from './benchmark.ts'
import type { Weighed } from './memory-probe.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const COUNTS = [0, 10, 50]
const REPEATS = 3

export const memory: Benchmark = {
  name: 'memory',
  about: 'memory of the engine and its supervisors while attempts sleep (Linux)',
  async run({ scratch, say }) {
    const repo = join(scratch, 'repo')
    await createSampleRepository(repo, 200)
    const weights = COUNTS.map((count) => {
      say(`${count} attempts`)
      return weigh(repo, count)
    })
    const [none, , most] = weights as [Weighed, Weighed, Weighed]
    const per = (name: 'engineKb' | 'heapKb') => (most[name] - none[name]) / (COUNTS.at(-1) as number)
    const rows = weights.map((weight, n) => {
      const count = COUNTS[n] as number
      const each = count === 0 ? '' : (weight.engineKb - none.engineKb) / count
      const supervisor = count === 0 ? '' : weight.supervisorsKb / count
      return [count, weight.engineKb / 1024, weight.heapKb / 1024, each, supervisor]
    })
    const columns = ['attempts', 'engine RSS MB', 'heap MB', 'engine KB/attempt', 'supervisor PSS KB/attempt']
    return {
      tables: [{ title: `median of ${REPEATS}, after a collection`, columns, rows }],
      // No bar of the project: what a laptop that runs fifty agents should not notice.
      bars: [atMost('engine memory per running attempt', per('engineKb'), 1024, 'KB')],
    }
  },
}

function weigh(repo: string, count: number): Weighed {
  const probe = fileURLToPath(new URL('memory-probe.ts', import.meta.url))
  const all = Array.from({ length: REPEATS }, (): Weighed => {
    const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', probe, repo, String(count)]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Weighed
  })
  const of = (name: keyof Weighed) => median(all.map((one) => one[name]))
  return { engineKb: of('engineKb'), heapKb: of('heapKb'), supervisorsKb: of('supervisorsKb') }
}
