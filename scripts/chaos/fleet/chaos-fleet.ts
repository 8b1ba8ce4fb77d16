// npm run chaos:fleet: a run on many workers, each in a network namespace, that are killed and cut off while it goes on; so are the
// server and the coordinators, and Postgres is restarted. Then each task has to have landed exactly once, and more (checks.ts).
// For root on Linux. The seed gives the plan and the kinds of harm; when each comes depends on the machine. A round that fails leaves its folder, with everybody's log.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFlags } from '../../read-flags.ts'
import { kill, processesOf } from '../processes.ts'
import { noNetworks } from './network.ts'
import { playFleet } from './round.ts'

readFlags('WORKERS=50 TASKS=2000 KILLS=10 PARTITIONS=5 RESTARTS=1 SEED=1 npm run chaos:fleet', {})
const number = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const round = {
  ...{ workers: number('WORKERS', 50), tasks: number('TASKS', 2_000), kills: number('KILLS', 10) },
  ...{ partitions: number('PARTITIONS', 5), restarts: number('RESTARTS', 1), seed: number('SEED', 1) },
}
const why = noNetworks()
if (why !== null) {
  console.error(`chaos:fleet cannot run here: ${why}`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'espalier-fleet-'))
const { seed, ...counts } = round
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const { pid } of processesOf(folder)) kill(pid)
    process.exit(130)
  })
console.log(`seed ${seed}: ${JSON.stringify(counts)}`)
try {
  const { harms, seconds, ...done } = await playFleet({ ...round, folder, say: (line) => console.log(line) })
  rmSync(folder, { recursive: true, force: true })
  console.log(`seed ${seed}: ok, ${round.tasks} tasks landed once in ${seconds.toFixed(0)} s: ${JSON.stringify(done)}`)
  console.log(harms.join('; '))
} catch (error) {
  console.log(`seed ${seed}: FAILED in ${folder}: ${error instanceof Error ? error.stack : error}`)
  process.exitCode = 1
}
