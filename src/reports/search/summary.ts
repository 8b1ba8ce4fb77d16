// TREE_SUMMARY.md: the tree of a search, what each eval took and came to, what was promoted, and why everything else was not.
import type { EvalEntry, Manifest } from '../../workloads/search/manifest.ts'
import { line, markdown } from '../html/escape.ts'
import { renderTreeMermaid } from './mermaid.ts'
import { depthText, durationText, ideaText, promotionText, scoreText, wayText } from './wording.ts'

/** Evals listed one by one; the manifest has all of them. */
const MOST_ROWS = 2_000
/** Drawn by Mermaid without becoming a knot. */
const MOST_DRAWN = 80

export function renderTreeSummary(manifest: Manifest): string {
  const { objective, run, status, goal, score_key, root, nodes, evals, depths, best_node_id, cost_usd } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const lines = [
    `# ${text(objective)}`,
    '',
    `Search ${run}: ${status}. Score: \`${score_key}\`, ${goal === 'max' ? 'more' : 'less'} is better.`,
    '',
    `- Root: ${scoreText(root?.score ?? null, root?.spread ?? null)}`,
    ...(best
      ? [
          `- Best: **${scoreText(best.score, best.spread)}** (${best.node_id}), by ${text(wayText(manifest, best.node_id))}`,
          `- Result: \`${best.node_id === 'root' ? manifest.root_commit : manifest.branch}\``,
        ]
      : []),
    ...(cost_usd > 0 ? [`- Cost: $${cost_usd.toFixed(2)}`] : []),
    '',
    '## Depths',
    '',
    '| depth | evals | promoted | best so far |',
    '|---|---|---|---|',
    ...depths.map((depth) => {
      const far = bestUpTo(manifest, depth.depth)
      return `| ${depth.depth} | ${depthText(depth)} | ${depth.promoted} | ${scoreText(far)} |`
    }),
    '',
    '## Tree',
    '',
    ...treeLines(manifest),
    '',
  ]
  if (nodes.length <= MOST_DRAWN) lines.push('```mermaid', renderTreeMermaid(manifest).trimEnd(), '```', '')
  lines.push(
    '## Evals',
    '',
    '| eval | idea | on | state | score | tries | time | cost | |',
    '|---|---|---|---|---|---|---|---|---|',
    ...evals.slice(0, MOST_ROWS).map(evalRow),
  )
  if (evals.length > MOST_ROWS) lines.push('', `… and ${evals.length - MOST_ROWS} more: the manifest has them.`)
  const flagged = evals.filter(({ changed_protected }) => changed_protected.length > 0)
  if (flagged.length > 0)
    lines.push(
      '',
      '## Changed what it is measured with',
      '',
      'These candidates changed protected paths. They were judged with those of the root.',
      '',
      ...flagged.map(({ eval_id, changed_protected }) => `- ${eval_id}: ${changed_protected.map(text).join(', ')}`),
    )
  const failed = evals.filter(({ error }) => error !== null).slice(0, MOST_ROWS)
  if (failed.length > 0)
    lines.push(
      '',
      '## Failed',
      '',
      ...failed.map(({ eval_id, error }) => `- ${eval_id} (${error?.task}): ${text(error?.message ?? '')}`),
    )
  return `${lines.join('\n')}\n`
}

function evalRow(one: EvalEntry): string {
  const cells = [
    ...[one.eval_id, ideaText(one.idea_path), one.parent_node_id ?? '', one.task_state],
    ...[scoreText(one.score, one.spread), String(one.attempt), durationText(one)],
    ...[one.cost_usd > 0 ? `$${one.cost_usd.toFixed(2)}` : '', promotionText(one)],
  ]
  return `| ${cells.map(text).join(' | ')} |`
}

/** The best score of the nodes down to a depth. */
export function bestUpTo({ nodes, goal }: Manifest, depth: number): number | null {
  const scores = nodes.filter((node) => node.depth <= depth).map(({ score }) => score)
  if (scores.length === 0) return null
  return goal === 'max' ? Math.max(...scores) : Math.min(...scores)
}

function treeLines({ nodes, best_node_id }: Manifest): string[] {
  const children = Map.groupBy(nodes, ({ parent_node_id }) => parent_node_id)
  const lines: string[] = []
  const walk = (parent: string | null, indent: number): void => {
    for (const { node_id, idea_path, score, spread } of children.get(parent) ?? []) {
      const mark = node_id === best_node_id ? ' **(best)**' : ''
      lines.push(
        `${'  '.repeat(indent)}- ${text(ideaText(idea_path))}: ${scoreText(score, spread)} · ${node_id}${mark}`,
      )
      walk(node_id, indent + 1)
    }
  }
  walk(null, 0)
  return lines.length > 0 ? lines : ['- the root has no score']
}

function text(value: string): string {
  return markdown(line(value, MOST_CHARS))
}

const MOST_CHARS = 300
