// What there is to read of a search, from what the state folder holds of it.
import { join } from 'node:path'
import { diffBetween, readSearchRun } from '../../engine/query/search-tree.ts'
import { ok, type Result } from '../../problem.ts'
import { jsonText } from '../../text/json.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { documentInHtml, documentInMarkdown } from '../document.ts'
import { renderTreeMermaid, searchDocument } from './document.ts'

export type SearchFormat = 'json' | 'md' | 'html' | 'mermaid'

/** What the files are called, in the folder of the search. */
const SEARCH_FILES = {
  json: 'manifest.json',
  md: 'TREE_SUMMARY.md',
  html: 'tree.html',
  mermaid: 'tree.mmd',
} as const

/** Nodes whose diffs are on the page. */
const MOST_DIFFS = 100

export async function searchReport(
  workspace: Workspace,
  { run, format }: { run?: string | undefined; format: SearchFormat },
): Promise<Result<{ run: string; text: string; file: string }>> {
  const read = await readSearchRun(workspace, { run })
  if (!read.ok) return read
  const { manifest, tasks } = read.value
  const file = join(workspace.folder.reports, manifest.run, SEARCH_FILES[format])
  const of = (text: string) => ok({ run: manifest.run, text, file })
  if (format === 'json') return of(`${jsonText(manifest, 2)}\n`)
  if (format === 'md') return of(documentInMarkdown(searchDocument(manifest, null)))
  if (format === 'mermaid') return of(renderTreeMermaid(manifest))
  const commits = new Map(manifest.nodes.map(({ node_id, commit }) => [node_id, commit]))
  const diffs = new Map<string, string>()
  for (const { node_id, parent_node_id, commit } of manifest.nodes.slice(0, MOST_DIFFS)) {
    const from = parent_node_id === null ? null : (commits.get(parent_node_id) ?? null)
    const diff = from && commit ? await diffBetween(workspace, from, commit, { patch: true }) : null
    if (diff) diffs.set(node_id, diff)
  }
  return of(documentInHtml(searchDocument(manifest, { diffs, tasks })))
}
