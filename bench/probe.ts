// Measures a plan in processes of their own, so that the peak of memory is that of one plan.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Probed, Step } from './plan-probe.ts'
import { median } from './statistics.ts'

const REPEATS = 3

/** The median of three, number by number. */
export function probe(step: Step, plan: string, repo = ''): Probed {
  const file = fileURLToPath(new URL('plan-probe.ts', import.meta.url))
  const all = Array.from({ length: REPEATS }, (): Probed => {
    const args = ['--disable-warning=ExperimentalWarning', file, step, plan, repo]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Probed
  })
  const of = (name: keyof Probed) => median(all.map((one) => one[name]))
  return { readMs: of('readMs'), stateMs: of('stateMs'), totalMs: of('totalMs'), peakMb: of('peakMb') }
}
