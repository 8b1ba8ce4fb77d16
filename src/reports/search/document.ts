// What there is to read of a search: the tree, what each eval took and came to, what was promoted, and why everything else
// was not. TREE_SUMMARY.md, and a page on which each node has its steps and its diff.

import { formatDuration } from '../../text/duration.ts'
import type { TaskView } from '../../view.ts'
import type { EvalEntry, Manifest } from '../../workloads/search/manifest.ts'
import type { ReportDocument } from '../document.ts'
import { html, line, mermaid } from '../html/escape.ts'
import { type Cell, listed, type ReportSection } from '../sections/section.ts'
import { depthText, durationText, ideaText, plain, promotionText, scoreText, wayText } from './wording.ts'

/** Evals listed one by one; the manifest has all of them. */
const MOST_ROWS = 2_000
/** Drawn by Mermaid without becoming a knot. */
const MOST_DRAWN = 80
const DIFF_CHARS = 20_000

/** Of each node of the tree. */
type NodeDetails = {
  /** What each changed against the one it comes from. */
  diffs: ReadonlyMap<string, string>
  /** Of the run. */
  tasks: ReadonlyMap<string, TaskView>
}

export function searchDocument(manifest: Manifest, details: NodeDetails | null): ReportDocument {
  const { objective, run, status, goal, score_key, root, nodes, best_node_id, cost_usd, branch, root_commit } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const words: Cell[] = [
    [`Search ${run}: ${status}. Score: `, { code: score_key }, `, ${goal === 'max' ? 'more' : 'less'} is better.`],
    `Root: ${scoreText(root?.score ?? null, root?.spread ?? null)}`,
  ]
  if (best) {
    const way = wayText(manifest, best.node_id)
    words.push(`Best: ${scoreText(best.score, best.spread)} (${best.node_id}), by ${way}`)
    words.push(['Result: ', { code: best.node_id === 'root' ? root_commit : branch }])
  }
  if (cost_usd > 0) words.push(`Cost: $${cost_usd.toFixed(2)}`)
  return {
    title: objective,
    words,
    sections: [
      depthSection(manifest),
      treeSection(manifest),
      details && { title: 'Nodes', sections: nodes.map((node) => nodeSection(manifest, node, details)) },
      evalSection(manifest),
      protectedSection(manifest),
      failedSection(manifest),
    ],
  }
}

function depthSection(manifest: Manifest): ReportSection {
  const rows = manifest.depths.map((depth) => [
    ...[String(depth.depth), depthText(depth), String(depth.promoted)],
    scoreText(bestUpTo(manifest, depth.depth)),
  ])
  return { title: 'Depths', head: ['depth', 'evals', 'promoted', 'best so far'], rows, drawing: curve(manifest) }
}

/** A point for each score, a line for the best so far. */
function curve(manifest: Manifest): string {
  const { evals, depths, root } = manifest
  const points = evals.flatMap(({ depth, score, promotion }) =>
    score === null ? [] : [{ depth, score, isKept: promotion.status === 'promoted' }],
  )
  const scores = [...points.map(({ score }) => score), ...(root?.score == null ? [] : [root.score])]
  if (scores.length === 0) return ''
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  const last = Math.max(1, depths.length)
  const x = (depth: number) => (30 + (540 * depth) / last).toFixed(1)
  const y = (score: number) => (high === low ? 80 : 140 - (120 * (score - low)) / (high - low)).toFixed(1)
  const dots = points.map(
    ({ depth, score, isKept }) =>
      `<circle cx="${x(depth)}" cy="${y(score)}" r="${isKept ? 5 : 3}" fill="currentColor" opacity="${isKept ? 1 : 0.35}"><title>depth ${depth}: ${html(plain(score))}</title></circle>`,
  )
  const line = Array.from({ length: last + 1 }, (_, depth) => ({ depth, score: bestUpTo(manifest, depth) }))
    .flatMap(({ depth, score }) => (score === null ? [] : [`${x(depth)},${y(score)}`]))
    .join(' ')
  const labels = `<text x="0" y="24" font-size="11" fill="currentColor">${html(plain(high))}</text><text x="0" y="144" font-size="11" fill="currentColor">${html(plain(low))}</text>`
  return `<svg viewBox="0 0 600 160" role="img" aria-label="scores by depth"><polyline points="${line}" fill="none" stroke="currentColor" stroke-width="2"/>${dots.join('')}${labels}</svg>`
}

/** The best score of the nodes down to a depth. */
function bestUpTo({ nodes, goal }: Manifest, depth: number): number | null {
  const scores = nodes.flatMap((node) => (node.depth <= depth ? [node.score] : []))
  if (scores.length === 0) return null
  return goal === 'max' ? Math.max(...scores) : Math.min(...scores)
}

/** Every node by its way from the root, below the one that it comes from. */
function treeSection(manifest: Manifest): ReportSection {
  const { nodes, best_node_id } = manifest
  const children = Map.groupBy(nodes, ({ parent_node_id }) => parent_node_id)
  const below = (parent: string | null): Cell[] =>
    (children.get(parent) ?? []).flatMap(({ node_id, score, spread }) => {
      const mark = node_id === best_node_id ? ' (best)' : ''
      return [`${wayText(manifest, node_id)}: ${scoreText(score, spread)} · ${node_id}${mark}`, ...below(node_id)]
    })
  const words = nodes.length === 0 ? ['The root has no score.'] : []
  const drawn = nodes.length > 0 && nodes.length <= MOST_DRAWN
  return { title: 'Tree', words, list: below(null), ...(drawn ? { mermaid: renderTreeMermaid(manifest) } : {}) }
}

function nodeSection(
  { evals }: Manifest,
  { node_id, eval_id, idea_path, score, spread, commit }: Manifest['nodes'][number],
  { diffs, tasks }: NodeDetails,
): ReportSection {
  const own = [...tasks.values()].filter(({ epic, history }) => epic === eval_id && history.length > 0)
  const tried = evals.filter(({ parent_node_id }) => parent_node_id === node_id).length
  const diff = diffs.get(node_id) ?? ''
  return {
    title: `${node_id}: ${ideaText(idea_path)}, ${scoreText(score, spread)}`,
    words: [`commit ${commit ?? ''}, ${tried} ideas tried on it`],
    head: ['step', 'status', 'attempts', 'time'],
    rows: own.map(({ id, status, attempts, durationMs }) => {
      return [id, status, String(attempts), durationMs === null ? '' : formatDuration(durationMs)]
    }),
    blocks: diff === '' ? [] : [diff.length > DIFF_CHARS ? `${diff.slice(0, DIFF_CHARS)}\n…` : diff],
  }
}

function evalSection({ evals }: Manifest): ReportSection {
  return {
    title: 'Evals',
    head: ['eval', 'idea', 'on', 'state', 'score', 'tries', 'time', 'cost', ''],
    rows: evals.slice(0, MOST_ROWS).map(evalCells),
    leftOut: evals.length - MOST_ROWS,
    where: 'the manifest has them',
  }
}

function evalCells(one: EvalEntry): string[] {
  return [
    ...[one.eval_id, ideaText(one.idea_path), one.parent_node_id ?? '', one.task_state],
    ...[scoreText(one.score, one.spread), String(one.attempt), durationText(one)],
    ...[one.cost_usd > 0 ? `$${one.cost_usd.toFixed(2)}` : '', promotionText(one)],
  ]
}

function protectedSection({ evals }: Manifest): ReportSection | null {
  const flagged = evals.filter(({ changed_protected }) => changed_protected.length > 0)
  if (flagged.length === 0) return null
  return {
    title: 'Changed what it is measured with',
    words: ['These candidates changed protected paths. They were judged with those of the root.'],
    list: flagged.map(({ eval_id, changed_protected }) => [
      `${eval_id}: `,
      ...listed(changed_protected.map((code) => ({ code }))),
    ]),
  }
}

function failedSection({ evals }: Manifest): ReportSection {
  const failed = evals.flatMap(({ eval_id, error }) => (error ? [`${eval_id} (${error.task}): ${error.message}`] : []))
  return { title: 'Failed', list: failed.slice(0, MOST_ROWS), leftOut: failed.length - MOST_ROWS }
}

const LABEL_CHARS = 40

export function renderTreeMermaid({ nodes, best_node_id }: Manifest): string {
  const names = new Map(nodes.map(({ node_id }, index) => [node_id, `t${index}`]))
  const lines = ['flowchart TD']
  for (const { node_id, idea_path, score, spread } of nodes) {
    const label = `${mermaid(line(ideaText(idea_path), LABEL_CHARS))}<br/>${mermaid(scoreText(score, spread))}`
    lines.push(`  ${names.get(node_id)}["${label}"]`)
  }
  for (const { node_id, parent_node_id } of nodes)
    if (parent_node_id !== null) lines.push(`  ${names.get(parent_node_id)} --> ${names.get(node_id)}`)
  const best = best_node_id === null ? undefined : names.get(best_node_id)
  if (best) lines.push('  classDef best stroke-width:4px', `  class ${best} best`)
  return `${lines.join('\n')}\n`
}
