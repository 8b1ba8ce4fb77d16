// Where estimates come from, in words.
import type { EstimateOrigins } from '../index.ts'

/** `3 from the plan, 2 from earlier runs, 1 unknown`. `otherwise`: what the last are. */
export function estimateWords({ plan, history, unknown }: EstimateOrigins, otherwise: string): string {
  const parts = [
    ...(plan > 0 ? [`${plan} from the plan`] : []),
    ...(history > 0 ? [`${history} from earlier runs`] : []),
    ...(unknown > 0 ? [`${unknown} ${otherwise}`] : []),
  ]
  return parts.join(', ')
}
