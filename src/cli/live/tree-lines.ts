// Progress of a search, above the table of its run.
import type { Run } from '../../engine/run/run.ts'
import { ideaText, plain } from '../../reports/search/wording.ts'

/** A line for each depth that is open, and the best so far. */
export function treeLines(tree: NonNullable<Run['tree']>): string[] {
  const { search, depths, best, leading, root } = tree
  const open = depths.flatMap(({ evals, open, isClosed }, index) => {
    if (isClosed) return []
    return [`depth ${index + 1} of ${search.depth}: ${evals.length - open.size}/${evals.length} evals done`]
  })
  if (!best) return open
  const score = plain(leading ? leading.score : best.score)
  const by = leading ? ` with ${ideaText(leading.idea)}` : ''
  const from = leading && root.state === 'scored' ? `; the root has ${plain(root.score)}` : ''
  return [...open, `best so far: ${search.score.rankedBy} ${score}${by}${from}`]
}
