// How long a person waits for a look at a large plan: `plan show` and `plan simulate` of 10,000 tasks, from the call to
// the last line.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Bar, type Benchmark } from './benchmark.ts'
import { installedHere } from './installed.ts'
import { largePlan, planText, SHAPES } from './large-plan.ts'
import { median } from './statistics.ts'

const TASKS = 10_000
const REPEATS = 3
const COMMANDS = [
  { args: ['show'], limitMs: 2_000 },
  { args: ['show', '--html', '-'], limitMs: 2_000 },
  { args: ['simulate'], limitMs: 5_000 },
]

export const planning: Benchmark = {
  name: 'planning',
  about: `plan show and plan simulate of ${TASKS.toLocaleString('en-US')} tasks`,
  async run({ scratch, say }) {
    say('packing and installing')
    const command = installedHere(join(scratch, 'package'))
    const rows: (string | number)[][] = []
    const worst = COMMANDS.map(() => 0)
    for (const shape of SHAPES) {
      say(shape)
      const file = join(scratch, `${shape}.json`)
      writeFileSync(file, planText(largePlan(TASKS, shape), 'json'))
      const times = COMMANDS.map(({ args }) =>
        median(Array.from({ length: REPEATS }, () => timeOf([command, 'plan', ...args, file], scratch))),
      )
      rows.push([shape, ...times])
      times.forEach((ms, at) => {
        worst[at] = Math.max(worst[at] as number, ms)
      })
    }
    const names = COMMANDS.map(({ args }) => `plan ${args.join(' ')}`)
    const bars = COMMANDS.map(({ limitMs }, at): Bar => atMost(names[at] as string, worst[at] as number, limitMs, 'ms'))
    return { tables: [{ title: `ms, median of ${REPEATS}`, columns: ['shape', ...names], rows }], bars }
  },
}

function timeOf(args: string[], cwd: string): number {
  const start = performance.now()
  execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  return performance.now() - start
}
