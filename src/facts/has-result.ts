// Whether a run has something to land on the user's branch.
import type { RunSummary } from '../view.ts'

/** Its branch has something that its base has not. The branch of a search moves to the best node, and no task of it lands. */
export function hasResult({
  kind,
  counts,
  base,
  head,
}: Pick<RunSummary, 'kind' | 'counts' | 'base' | 'head'>): boolean {
  return kind === 'search' ? head !== base : counts.landed > 0
}
