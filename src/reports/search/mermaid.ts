// The tree of a search as Mermaid text: its nodes, and with them what was tried on the best and came to nothing is left out.
import type { Manifest } from '../../workloads/search/manifest.ts'
import { line, mermaid } from '../html/escape.ts'
import { ideaText, scoreText } from './wording.ts'

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
