// What a search leaves to read when its run comes to rest: its manifest, TREE_SUMMARY.md and a page, beside the other reports.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { searchReport } from '../../reports/search/report.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'

/** They can be made again at any time (`search show`), so nothing that goes wrong here ends the command. */
export async function writeResult(
  workspace: Workspace,
  run: string,
  surroundings: Surroundings,
  isQuiet: boolean,
): Promise<void> {
  for (const format of ['json', 'md', 'html'] as const) {
    const made = await searchReport(workspace, { run, format })
    if (!made.ok) continue
    const { file, text } = made.value
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      if (!isQuiet && format !== 'json') surroundings.out.write(`${format === 'md' ? 'Summary' : 'Page'}: ${file}\n`)
    } catch (error) {
      surroundings.err.write(`${file} could not be written: ${(error as Error).message}\n`)
    }
  }
}
