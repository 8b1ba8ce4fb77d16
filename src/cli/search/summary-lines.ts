// A search on the terminal: how far each depth is, the best so far, and what comes next.

import type { Run } from '../../engine/run/run.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import {
  ideaText,
  plain as plainScore,
  scoreText,
  depthText as searchDepthText,
  wayText as searchWayText,
} from '../../reports/search/wording.ts'
import { fit, padEnd, widest } from '../../text/width.ts'
import type { RunView } from '../../view.ts'
import type { Manifest } from '../../workloads/search/manifest.ts'
import { nextLines } from '../status/next-steps.ts'
import type { Palette } from '../terminal/palette.ts'

type Look = { width: number; palette: Palette; repeat: string; landedOn: string | null }

function progressLines(manifest: Manifest): string[] {
  const { depths, nodes, best_node_id, root, max_depth } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const lines = depths.map(
    (depth) =>
      `depth ${depth.depth} of ${max_depth}: ${searchDepthText(depth)}, ${depth.promoted} promoted${depth.depth < max_depth && depth.promoted > 0 ? `: tried further at depth ${depth.depth + 1}` : ''}`,
  )
  const start = root?.score === null || root === null ? '' : `; the root has ${scoreText(root.score, root.spread)}`
  const when = manifest.status === 'running' ? 'best so far' : 'best'
  if (best?.node_id === 'root')
    lines.push(`${when}: ${manifest.score_key} ${scoreText(best.score, best.spread)}, the root`)
  else if (best) {
    const score = `${manifest.score_key} ${scoreText(best.score, best.spread)}`
    lines.push(`${when}: ${score} with ${searchWayText(manifest, best.node_id)}${start}`)
  }
  return lines
}

export function searchLines(manifest: Manifest, view: RunView, look: Look): string[] {
  const { width, palette, repeat, landedOn } = look
  const { evals, run, status, branch, best_node_id, root } = manifest
  const shown = evals
    .filter(({ promotion }) => promotion.status === 'promoted')
    .sort((a, b) => a.depth - b.depth || (a.promotion.rank ?? 0) - (b.promotion.rank ?? 0))
  const wayOf = ({ node_id, idea_path }: Manifest['evals'][number]) =>
    node_id === null ? ideaText(idea_path) : searchWayText(manifest, node_id)
  const wayWidth = widest(shown.map(wayOf))
  const scoreWidth = widest(shown.map(({ score, spread }) => scoreText(score, spread)))
  const rows = shown.map((one) => {
    const score = padEnd(scoreText(one.score, one.spread), scoreWidth)
    const text = `depth ${one.depth}, rank ${one.promotion.rank}  ${score}  ${padEnd(wayOf(one), wayWidth)}  ${one.eval_id}`
    return `  ${fit(text, width - 3)}`
  })
  const failed = root?.error ? [`The root could not be measured: ${root.error.message}`] : []
  const isBetter = best_node_id !== null && best_node_id !== 'root'
  const result = isBetter
    ? `Result: the best, on branch ${branch}`
    : 'No idea was better than the root: there is nothing to land'
  return [
    palette.strong(`Search ${run}: ${status}`),
    ...failed,
    ...progressLines(manifest).map((line) => fit(line, width - 1)),
    ...(rows.length > 0 ? ['', 'Promoted:', ...rows] : []),
    ...(status === 'running' || failed.length > 0 ? [] : ['', result]),
    '',
    ...nextLines(nextSteps(view, { landedOn, flags: repeat }), look),
  ]
}

/** A line for each depth that is open, and the best so far. */
export function treeLines(tree: NonNullable<Run['tree']>): string[] {
  const { search, depths, best, leading, root } = tree
  const open = depths.flatMap(({ evals, open, isClosed }, index) => {
    if (isClosed) return []
    return [`depth ${index + 1} of ${search.depth}: ${evals.length - open.size}/${evals.length} evals done`]
  })
  if (!best) return open
  const score = plainScore(leading ? leading.score : best.score)
  const by = leading ? ` with ${ideaText(leading.idea)}` : ''
  const from = leading && root.state === 'scored' ? `; the root has ${plainScore(root.score)}` : ''
  return [...open, `best so far: ${search.score.rankedBy} ${score}${by}${from}`]
}
