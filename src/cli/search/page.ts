// What a search leaves to read when its run comes to rest, beside the other reports: its manifest, TREE_SUMMARY.md and its page,
// the dashboard in one file that opens with the tree.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '../../problem.ts'
import { builtApp } from '../../reports/built-app.ts'
import { searchReport } from '../../reports/search/report.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { problemLines } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { writeInto } from '../terminal/write-page.ts'

/** With the file it goes to unless another one is named. */
export async function searchPage(
  workspace: Workspace,
  { run, template }: { run: string; template: string },
): Promise<Result<{ text: string; file: string }>> {
  const { htmlReport } = await import('../../server/recording/html-report.ts')
  const made = await htmlReport(workspace, { run, template })
  return made.ok ? ok({ text: made.value.text, file: join(made.value.folder, run, 'tree.html') }) : made
}

/** They can be made again at any time (`search show`), so nothing that goes wrong here ends the command. */
export async function writeResult(
  workspace: Workspace,
  run: string,
  { out, err, resources }: Surroundings,
  isQuiet: boolean,
): Promise<void> {
  const write = async ({ text, file }: { text: string; file: string }, name: string | null) => {
    const trouble = await writeInto({ file, cwd: '/', isOver: true }, text)
    if (trouble) err.write(problemLines([trouble]))
    else if (!isQuiet && name !== null) out.write(`${name}: ${file}\n`)
  }
  const json = await searchReport(workspace, { run, format: 'json' })
  if (json.ok) await write(json.value, null)
  const summary = await searchReport(workspace, { run, format: 'md' })
  if (summary.ok) await write(summary.value, 'Summary')
  const app = builtApp()
  if (app === null) return
  // Once this command has let go of the run: the page shows it as one that no engine works on.
  const writePage = async () => {
    const template = await readFile(join(app, 'report.html'), 'utf8')
    const page = await searchPage(workspace, { run, template })
    if (page.ok) await write(page.value, 'Page')
  }
  resources.use({ [Symbol.asyncDispose]: writePage })
}
