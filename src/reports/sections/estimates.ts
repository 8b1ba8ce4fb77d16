// Estimates of tasks against what they really took.
import { formatDuration } from '../../text/duration.ts'
import { money } from '../../text/usage-text.ts'
import { type EstimatedTask, type EstimateFacts, factorOf } from '../facts/estimates.ts'
import type { ReportSection } from './section.ts'

/** Those that were furthest from what was expected come first. */
export function estimateSection({ tasks, timeFactor, costFactor }: EstimateFacts): ReportSection | null {
  if (tasks.length === 0) return null
  const worst = (one: EstimatedTask) =>
    Math.max(factorOf(one.estimateMs, one.ms) ?? 0, factorOf(one.estimateUsd, one.costUsd) ?? 0)
  const shown = tasks.toSorted((a, b) => worst(b) - worst(a)).slice(0, MAX_ROWS)
  const timed = tasks.filter(({ estimateMs }) => estimateMs !== null)
  const priced = tasks.filter(({ estimateUsd, costUsd }) => estimateUsd !== null && costUsd !== null)
  const factors = [...offBy('time', timeFactor, timed.length), ...offBy('cost', costFactor, priced.length)].join(', ')
  return {
    title: 'Estimates',
    words: [
      'Estimates come from the plan, or else from earlier runs of the same task or of similar ones.',
      ...(factors ? [`On average they were off by a factor of ${factors}.`] : []),
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

/** The average of a few says nothing: they are in the table. */
function offBy(what: string, factor: number | null, compared: number): string[] {
  return factor === null || compared < FEWEST_COMPARED ? [] : [`${factor.toFixed(1)} (${what})`]
}

const MAX_ROWS = 10
const FEWEST_COMPARED = 3
