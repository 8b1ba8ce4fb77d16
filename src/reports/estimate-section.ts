// The part of a report that compares what was expected of tasks with what they took.
import { formatDuration } from '../duration.ts'
import { money } from '../usage-text.ts'
import { type EstimatedTask, type EstimateFacts, errorOf } from './estimate-facts.ts'
import type { TableSection } from './table-section.ts'
import { percent } from './wording.ts'

/** Those that were furthest from what was expected come first. */
export function estimateSection({ tasks, timeError, costError }: EstimateFacts): TableSection | null {
  if (tasks.length === 0) return null
  const worst = (one: EstimatedTask) =>
    Math.max(errorOf(one.estimateMs, one.ms) ?? 0, errorOf(one.estimateUsd, one.costUsd) ?? 0)
  const shown = tasks.toSorted((a, b) => worst(b) - worst(a)).slice(0, MAX_ROWS)
  const timed = tasks.filter(({ estimateMs }) => estimateMs !== null)
  const priced = tasks.filter(({ estimateUsd, costUsd }) => estimateUsd !== null && costUsd !== null)
  const errors = [...offBy('time', timeError, timed.length), ...offBy('cost', costError, priced.length)].join(', ')
  return {
    title: 'Estimates',
    words: [
      `Of the plan, or where it has none, from earlier runs.${errors ? ` On average they were off: ${errors}.` : ''}`,
    ],
    head: ['Task', 'Time expected', 'Time', 'Cost expected', 'Cost'],
    rows: shown.map(({ task, estimateMs, ms, estimateUsd, costUsd }) => [
      task,
      estimateMs === null ? '' : formatDuration(estimateMs),
      formatDuration(ms),
      estimateUsd === null ? '' : money(estimateUsd),
      costUsd === null ? '' : money(costUsd),
    ]),
    leftOut: tasks.length - shown.length,
  }
}

/**
 * The average of a few says nothing: they are in the table. And nobody knows what 678% of the time it took are: it was
 * expected to take eight times as long.
 */
function offBy(what: string, error: number | null, compared: number): string[] {
  if (error === null || compared < FEWEST_COMPARED) return []
  return [error > 1 ? `${what} by a factor of ${(1 + error).toFixed(1)}` : `${what} by ${percent(error)}`]
}

const MAX_ROWS = 30
const FEWEST_COMPARED = 3
