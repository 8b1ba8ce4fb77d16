// Outcome of an eval's judge, as far as promotion needs it.
import type { Search } from '../../search.ts'
import { isOver, type TaskStatus } from '../../status.ts'
import type { AttemptResult } from '../../view.ts'
import type { Outcome } from './promote.ts'

/** `status` and `result`: of the judge's task and of its last attempt. */
export function outcomeOf(
  { score }: Pick<Search, 'score'>,
  status: TaskStatus,
  result: AttemptResult | undefined,
): Outcome {
  if (!isOver(status)) return { state: 'open' }
  const value = status === 'passed' ? result?.scores?.[score.rankedBy] : undefined
  if (value === undefined || result?.tree === undefined) return { state: 'failed' }
  return { state: 'scored', score: value, spread: spreadOf(result.samples?.[score.rankedBy]), tree: result.tree }
}

/** From the lowest to the highest measurement. */
export function spreadOf(samples: readonly number[] = []): number {
  return samples.length < 2 ? 0 : Math.max(...samples) - Math.min(...samples)
}

export function medianOf(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
