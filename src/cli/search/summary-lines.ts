// A search on the terminal: how far each depth is, the best so far, and what comes next.
import type { Run } from '../../index.ts'
import {
  ideaText,
  type Manifest,
  plainScore,
  promotionText,
  readSearchRun,
  scoreText,
  searchDepthText,
  searchWayText,
} from '../../internal.ts'
import { fit, padEnd, widest } from '../../text/width.ts'
import type { Palette } from '../terminal/palette.ts'

/** Of a run that has come to rest. */
export async function searchSummary(run: Run, look: Look): Promise<string[]> {
  const read = await readSearchRun(run.workspace, { run: run.id })
  return read.ok ? ['', ...searchLines(read.value.manifest, look)] : []
}

/** While it runs: a line for each depth that is open, and the best so far. */
export function treeLines(tree: Tree): string[] {
  const { search, depths, best, leading, root } = tree
  const open = depths.flatMap(({ evals, open, isClosed }, index) => {
    if (isClosed) return []
    return [`depth ${index + 1} of ${search.depth}: ${evals.length - open.size}/${evals.length} evals done`]
  })
  if (!best) return open
  const so = leading ? `${plainScore(leading.score)} by ${ideaText(leading.idea)}` : plainScore(best.measured.score)
  const from = leading && root.state === 'scored' ? ` (root ${plainScore(root.score)})` : ''
  return [...open, `best ${search.score.rankedBy} so far: ${so}${from}`]
}

type Tree = NonNullable<Run['tree']>

type Look = { width: number; palette: Palette; repeat: string }

/** A line for each depth, and the best so far. */
export function progressLines(manifest: Manifest): string[] {
  const { depths, nodes, best_node_id, root, max_depth } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const lines = depths.map(
    (depth) => `depth ${depth.depth} of ${max_depth}: ${searchDepthText(depth)}, ${depth.promoted} promoted`,
  )
  const start = root?.score === null || root === null ? '' : `, root ${scoreText(root.score, root.spread)}`
  if (best)
    lines.push(
      `best ${manifest.score_key}${manifest.status === 'running' ? ' so far' : ''}: ${scoreText(best.score, best.spread)} (${searchWayText(manifest, best.node_id)})${start}`,
    )
  return lines
}

export function searchLines(manifest: Manifest, { width, palette, repeat }: Look): string[] {
  const { evals, run, status, branch, best_node_id, root } = manifest
  const shown = evals.filter(({ promotion }) => promotion.status === 'promoted')
  const idWidth = widest(shown.map(({ eval_id }) => eval_id))
  const scoreWidth = widest(shown.map(({ score, spread }) => scoreText(score, spread)))
  const rows = shown.map((one) => {
    const score = padEnd(scoreText(one.score, one.spread), scoreWidth)
    const text = `${padEnd(one.eval_id, idWidth)}  ${score}  ${ideaText(one.idea_path)}  ${promotionText(one)}`
    return `  ${fit(text, width - 3)}`
  })
  const failed = root?.error ? [`The root could not be measured: ${root.error.message}`] : []
  const isBetter = best_node_id !== null && best_node_id !== 'root'
  const result = isBetter
    ? [`Result: ${branch}; \`espalier land ${run}${repeat}\` brings it onto your branch`]
    : ['Nothing was better than the root: the branch stays there']
  const next = status === 'running' || failed.length > 0 ? [] : result
  return [
    palette.strong(`Search ${run}: ${status}`),
    ...failed,
    ...progressLines(manifest).map((line) => fit(line, width - 1)),
    ...(rows.length > 0 ? ['', 'Promoted:', ...rows] : []),
    ...(next.length > 0
      ? ['', ...next, `\`espalier search show ${run}${repeat}\` shows every eval, --html a page`]
      : []),
  ]
}
