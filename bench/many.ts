// Whether a task of a long run costs more than one of a short run: the installed command, from its start to its end. Each
// task changes a file of its own: the repository is as large for both.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Benchmark } from './benchmark.ts'
import { installedHere, timedCommand } from './installed.ts'
import { createSampleRepository, samplePath } from './sample-repository.ts'

const SLOTS = 16
const COUNTS = [200, 2_000]
const FILES = 2_000

export const many: Benchmark = {
  name: 'many',
  about: `a task of a run of ${COUNTS.join(' and of ')}, ${SLOTS} slots`,
  async run({ scratch, say }) {
    say('packing and installing')
    const bin = installedHere(join(scratch, 'package'))
    const perTask: number[] = []
    for (const count of COUNTS) {
      say(`${count} tasks`)
      const repo = join(scratch, `tasks-${count}`)
      await createSampleRepository(repo, FILES)
      const tasks = Array.from({ length: count }, (_, n) => ({ id: `t${n}`, run: `echo ${n} >>${samplePath(n)}` }))
      const plan = join(scratch, 'plan.json')
      writeFileSync(plan, JSON.stringify({ name: 'bench', tasks }))
      const ms = timedCommand(bin, ['run', plan, '-j', String(SLOTS), '--quiet'], repo)
      say(`${(ms / 1000).toFixed(1)} s`)
      perTask.push(ms / count)
    }
    const [few = 0, more = 0] = perTask
    return {
      tables: [
        {
          title: `espalier run, ${SLOTS} slots`,
          columns: ['tasks', 'ms per task'],
          rows: COUNTS.map((count, index) => [count, perTask[index] ?? 0]),
        },
      ],
      bars: [atMost(`a task of ${COUNTS[1]}`, more / few, 1.2, `× one of ${COUNTS[0]}`)],
    }
  },
}
