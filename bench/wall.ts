// What the engine itself adds to tasks that take a second each.
import { join } from 'node:path'
import { atMost, type Benchmark } from './benchmark.ts'
import { commandPlan, runPlan } from './espalier-run.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const TASKS = 12
const SLOTS = 4
const REPEATS = 3
const IDEAL_MS = (TASKS / SLOTS) * 1000

export const wall: Benchmark = {
  name: 'wall',
  about: `${TASKS} independent tasks of 1 s, ${SLOTS} at a time`,
  async run({ scratch }) {
    const repo = join(scratch, 'repo')
    await createSampleRepository(repo, 200)
    const whole: number[] = []
    const executing: number[] = []
    for (let n = 0; n < REPEATS; n++) {
      const commands = Array.from({ length: TASKS }, (_, task) => `sleep 1 && echo done >result-${task}`)
      // From cold every time: the first attempt of each slot makes its worktree.
      const settings = { maxConcurrency: SLOTS, stateDir: `${repo}.state-${n}` }
      const { totalMs, executeMs } = await runPlan(repo, commandPlan(commands), settings)
      whole.push(totalMs)
      executing.push(executeMs)
    }
    const rows = [
      ['from openRun to the end', median(whole), median(whole) / IDEAL_MS],
      ['execute alone', median(executing), median(executing) / IDEAL_MS],
    ]
    return {
      tables: [{ title: `median of ${REPEATS}, 200 files, from cold`, columns: ['', 'ms', '× ideal'], rows }],
      bars: [atMost('wall time / 3 s', median(whole) / IDEAL_MS, 1.25, '×')],
    }
  },
}
