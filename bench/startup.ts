// How long a person waits for the command line to say anything, against a Node that does nothing.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, type Benchmark } from './benchmark.ts'
import { compile } from './compile.ts'
import { commandPlan, runPlan } from './espalier-run.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const REPEATS = 15
const root = fileURLToPath(new URL('..', import.meta.url))

export const startup: Benchmark = {
  name: 'startup',
  about: 'espalier --version and status',
  async run({ scratch, say }) {
    const repo = join(scratch, 'repo')
    await createSampleRepository(repo, 200)
    await runPlan(repo, commandPlan(['true', 'echo one >one']), { maxConcurrency: 2 })
    say('compiling')
    const compiled = compile(join(scratch, 'package'))
    const source = join(root, 'bin', 'espalier.js')
    const commands: [string, string[]][] = [
      ['node -e 0', ['-e', '0']],
      ['--version, compiled', [compiled, '--version']],
      ['status, compiled', [compiled, 'status']],
      ['--version, TypeScript', [source, '--version']],
      ['status, TypeScript', [source, 'status']],
    ]
    // In turns, so that a busy moment hits all of them.
    const times = commands.map((): number[] => [])
    for (let n = 0; n <= REPEATS; n++) {
      for (const [at, [, args]] of commands.entries()) {
        const ms = timeOf(args, repo)
        if (n > 0) times[at]?.push(ms) // the first fills caches
      }
    }
    const medians = times.map(median)
    const bare = medians[0] as number
    const rows = commands.map(([name], at) => [name, medians[at] as number, (medians[at] as number) / bare])
    const bars = commands.slice(1).map(([name], at) => atMost(name, medians[at + 1] as number, 200, 'ms'))
    return { tables: [{ title: `median of ${REPEATS}`, columns: ['', 'ms', '× node'], rows }], bars }
  },
}

function timeOf(args: string[], cwd: string): number {
  const start = performance.now()
  execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  return performance.now() - start
}
