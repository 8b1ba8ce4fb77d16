// What there is to read of a search as text, from what the state folder holds of it. Its page is a recording.
import { join } from 'node:path'
import { readSearchRun } from '../../engine/query/search-tree.ts'
import { ok, type Result } from '../../problem.ts'
import { jsonText } from '../../text/json.ts'
import type { Manifest } from '../../workloads/search/manifest.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { documentInMarkdown } from '../document.ts'
import { renderTreeMermaid, searchDocument } from './document.ts'

/** With the name of its file in the folder of the search. */
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
