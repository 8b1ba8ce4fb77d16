// What a unit collided on, it claims the next time: of four that conflict over one file, the first lands, and without this the
// other three would start together, conflict again and use up their retries.
import type { Failure } from '../../failure.ts'
import type { AttemptView } from '../../status.ts'
import { type Claim, claimOfPath } from './overlap.ts'

export function learnedClaims(failure: Failure | null): Claim[] {
  return failure?.reason === 'conflict' ? (failure.paths ?? []).map(claimOfPath) : []
}

/** Of all its attempts. */
export function learnedBefore(history: readonly AttemptView[]): Claim[] {
  return history.flatMap(({ failure }) => learnedClaims(failure))
}
