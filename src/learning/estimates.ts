// Expected time and cost of a task, from earlier attempts at the same task, else at similar ones. A wrong figure is worse than
// none.
import type { Experience, Looks } from '../learning-records.ts'
import { similarTo } from './similar.ts'

/** `isSame`: from earlier attempts at the task itself. */
export type Estimate = { durationMs: number; costUsd: number | null; isSame: boolean }

/** `past`: attempts that succeeded, the newest last. `plan`: a task is the same only in a plan of the same name. */
export function estimate(
  looks: Looks & { task: string; plan: string },
  past: readonly Experience[],
  by: 'same' | 'similar' = 'similar',
): Estimate | null {
  const same = past.filter((one) => one.task === looks.task && planOf(one.run) === looks.plan).slice(-MOST_SAME)
  if (same.length > 0)
    return estimateBy(
      same.map((one) => ({ weight: 1, one })),
      true,
    )
  if (by === 'same') return null
  const similar = similarTo(looks, past.slice(-MOST_SIMILAR))
  const weight = similar.reduce((sum, one) => sum + one.weight, 0)
  return similar.length < FEWEST || weight < ENOUGH ? null : estimateBy(similar, false)
}

/** The cost is null if no attempt has a known cost: commands cost no money. */
function estimateBy(attempts: readonly { weight: number; one: Experience }[], isSame: boolean): Estimate {
  const paid = attempts.flatMap(({ weight, one }) => (one.costUsd === null ? [] : [{ weight, value: one.costUsd }]))
  const durationMs = median(attempts.map(({ weight, one }) => ({ weight, value: one.durationMs })))
  return { durationMs, costUsd: median(paid) || null, isSame }
}

/** Weighted median, so that one odd attempt among many changes nothing. */
function median(list: readonly { weight: number; value: number }[]): number {
  const sorted = [...list].sort((a, b) => a.value - b.value)
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2
  let sum = 0
  for (const { weight, value } of sorted) {
    sum += weight
    if (sum >= half) return value
  }
  return 0
}

function planOf(run: string): string {
  return run.replace(/-\d+$/, '')
}

const MOST_SAME = 5
/** Most similar attempts that are used: the newest say enough. */
const MOST_SIMILAR = 500
const FEWEST = 3
const ENOUGH = 0.2
