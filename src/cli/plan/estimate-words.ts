// Sources of the estimates of a plan, as text.
import type { EstimatedPlan } from '../../engine/open/estimates.ts'
import { formatDuration } from '../../text/duration.ts'

/** `Estimates: 3 from the plan; 10m 00s assumed for the other 2.` */
export function timeWords({ plan, history, unknown, assumedMs }: EstimatedPlan['time']): string {
  const assumed = `${formatDuration(assumedMs)} assumed for`
  if (plan + history === 0) return `No estimates yet: ${assumed} ${unknown === 1 ? 'the task' : 'each task'}.`
  const known = `Estimates: ${estimateWords({ plan, history, unknown: 0 })}`
  return unknown === 0 ? `${known}.` : `${known}; ${assumed} the other ${unknown === 1 ? 'task' : unknown}.`
}

/** `3 from the plan, 2 from earlier runs, 1 unknown` */
export function estimateWords({ plan, history, unknown }: EstimatedPlan['cost']): string {
  const parts = [
    ...(plan > 0 ? [`${plan} from the plan`] : []),
    ...(history > 0 ? [`${history} from earlier runs`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ]
  return parts.join(', ')
}
