// npm run chaos -- --rounds N --seed S [--tasks 30]: the real command line on a plan of 30 tasks, while the engine, its
// supervisors, git and agents are killed, everything at once too (a reboot), the disk is full and file operations fail. Then
// each task has to have landed exactly once, and more (checks.ts). The seed gives the plan and the kinds of harm; when each
// comes depends on the machine. A round that fails leaves its folder.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numbersFromFlags } from '../numbers-from-flags.ts'
import { playRound, removeRound } from './round.ts'

const { rounds, seed: first, tasks } = numbersFromFlags('chaos', { rounds: 10, seed: 1, tasks: 30 })
const counts = new Map<string, number>()
let failed = 0
for (let seed = first; seed < first + rounds; seed++) {
  const folder = mkdtempSync(join(tmpdir(), `espalier-chaos-${seed}-`))
  try {
    const { harms, engines, seconds } = await playRound(folder, seed, tasks)
    for (const harm of harms) counts.set(harm, (counts.get(harm) ?? 0) + 1)
    console.log(`seed ${seed}: ok, ${engines} engines, ${seconds.toFixed(0)} s: ${harms.join(' ')}`)
    removeRound(folder)
  } catch (error) {
    failed++
    console.log(`seed ${seed}: FAILED in ${folder}: ${error instanceof Error ? error.message : error}`)
    console.log(readFileSync(join(folder, 'engines.log'), 'utf8').slice(-3_000))
  }
}
console.log(`${rounds} rounds of ${tasks} tasks, ${failed} failed: ${JSON.stringify(Object.fromEntries(counts))}`)
process.exitCode = failed > 0 ? 1 : 0
