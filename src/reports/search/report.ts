// The report of a search as text. TREE_SUMMARY.md has the tree, time and score of each eval, and why it was promoted or not.

import { join } from 'node:path'
import { readSearchRun } from '../../engine/query/search-tree.ts'
import { ok, type Result } from '../../problem.ts'
import { jsonText } from '../../text/json.ts'
import type { EvalEntry, Manifest } from '../../workloads/search/result-manifest.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { line, mermaid } from '../escape.ts'
import {
  type Cell,
  documentInMarkdown,
  list,
  listed,
  type ReportDocument,
  type ReportSection,
  table,
} from '../sections/section.ts'
import { bestUpTo, depthText, durationText, ideaText, promotionText, scoreText, wayText } from './wording.ts'

/** Each format with its file name in the folder of the search. */
const FORMATS = {
  json: { name: 'manifest.json', render: (manifest: Manifest) => `${jsonText(manifest, 2)}\n` },
  md: { name: 'TREE_SUMMARY.md', render: (manifest: Manifest) => documentInMarkdown(searchDocument(manifest)) },
  mermaid: { name: 'tree.mmd', render: renderTreeMermaid },
} as const

export async function searchReport(
  workspace: Workspace,
  { run, format }: { run?: string | undefined; format: keyof typeof FORMATS },
): Promise<Result<{ run: string; text: string; file: string }>> {
  const read = await readSearchRun(workspace, { run })
  if (!read.ok) return read
  const { manifest } = read.value
  const { name, render } = FORMATS[format]
  return ok({
    run: manifest.run,
    text: render(manifest),
    file: join(workspace.folder.reports, manifest.run, name),
  })
}

/** Evals listed one by one; the manifest has all of them. */
const MOST_ROWS = 2_000
/** Larger trees are unreadable in Mermaid. */
const MOST_DRAWN = 80

function searchDocument(manifest: Manifest): ReportDocument {
  return {
    title: manifest.objective,
    words: [`Search ${manifest.run}: ${manifest.status}.`, ...resultWords(manifest)],
    sections: [
      depthSection(manifest),
      treeSection(manifest),
      evalSection(manifest),
      protectedSection(manifest),
      failedSection(manifest),
    ],
  }
}

/** Results so far, for the terminal. */
export function resultSections(manifest: Manifest): ReportSection[] {
  const result = { title: `Search ${manifest.run}: ${manifest.status}`, list: resultWords(manifest) }
  return [result, depthSection(manifest), promotedSection(manifest)]
}

function resultWords(manifest: Manifest): Cell[] {
  const { status, goal, score_key, root, nodes, best_node_id, cost_usd, branch } = manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const words: Cell[] = [
    ['Score: ', { code: score_key }, `, ${goal === 'max' ? 'more' : 'less'} is better`],
    root?.error
      ? `The root could not be measured: ${root.error.message}`
      : `Root: ${scoreText(root?.score ?? null, root?.spread ?? null)}`,
  ]
  if (best && best.node_id !== 'root') {
    words.push(`Best: ${scoreText(best.score, best.spread)} (${best.node_id}), by ${wayText(manifest, best.node_id)}`)
    words.push(['Result: ', { code: branch }])
  } else if (best && status !== 'running') words.push('No idea was better than the root: there is nothing to land')
  if (cost_usd > 0) words.push(`Cost: $${cost_usd.toFixed(2)}`)
  return words
}

function promotedSection({ evals }: Manifest): ReportSection {
  const promoted = evals
    .filter(({ promotion }) => promotion.status === 'promoted')
    .sort((a, b) => a.depth - b.depth || (a.promotion.rank ?? 0) - (b.promotion.rank ?? 0))
  const cells = ({ depth, promotion, score, spread, idea_path, parent_node_id, eval_id }: EvalEntry) => [
    ...[String(depth), String(promotion.rank ?? ''), scoreText(score, spread), ideaText(idea_path)],
    ...[parent_node_id ?? '', eval_id],
  ]
  return { title: 'Promoted', ...table(['depth', 'rank', 'score', 'idea', 'on', 'eval'], promoted, cells) }
}

function depthSection(manifest: Manifest): ReportSection {
  const cells = (depth: Manifest['depths'][number]) => [
    ...[String(depth.depth), depthText(depth), String(depth.promoted)],
    scoreText(bestUpTo(manifest, depth.depth)),
  ]
  return { title: 'Depths', ...table(['depth', 'evals', 'promoted', 'best so far'], manifest.depths, cells) }
}

/** Lists every node below its parent, with the ideas from the root to it. */
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

function evalSection({ evals }: Manifest): ReportSection {
  const head = ['eval', 'idea', 'on', 'state', 'score', 'tries', 'time', 'cost', '']
  return { title: 'Evals', ...table(head, evals, evalCells, MOST_ROWS), where: 'the manifest has them' }
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
  const words = ['These candidates changed protected paths. They were judged with those of the root.']
  const entry = ({ eval_id, changed_protected }: EvalEntry) => {
    return [`${eval_id}: `, ...listed(changed_protected.map((code) => ({ code })))]
  }
  return { title: 'Changed what it is measured with', words, ...list(flagged, entry) }
}

function failedSection({ evals }: Manifest): ReportSection {
  const failed = evals.flatMap(({ eval_id, error }) => (error ? [`${eval_id} (${error.task}): ${error.message}`] : []))
  return { title: 'Failed', ...list(failed, (one) => one, MOST_ROWS) }
}

const LABEL_CHARS = 40

function renderTreeMermaid({ nodes, best_node_id }: Manifest): string {
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
