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
  const time = timeError === null ? [] : [`time by ${percent(timeError)}`]
  const cost = costError === null ? [] : [`cost by ${percent(costError)}`]
  const errors = [...time, ...cost].join(', ')
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

const MAX_ROWS = 30
