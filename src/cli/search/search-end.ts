// The end of a search: its result in a few lines, and the files it writes beside the other reports: its manifest,
// TREE_SUMMARY.md and its page, the dashboard in one file that opens with the tree.

import { join } from 'node:path'
import { readLandedOn } from '../../engine/deliver/is-run-in-checkout.ts'
import { readSearchRun } from '../../engine/query/search-tree.ts'
import { builtApp } from '../../reports/built-app.ts'
import { searchReport } from '../../reports/search/report.ts'
import type { RunView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { problemLines } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { printLines } from '../terminal/print.ts'
import { runPage, writeInto } from '../terminal/write-page.ts'
import { searchLines } from './summary-lines.ts'

export async function searchEnd(
  workspace: Workspace,
  view: RunView,
  isJson: boolean,
  here: Surroundings & { repeat: string },
): Promise<void> {
  const read = isJson ? null : await readSearchRun(workspace, { run: view.run })
  if (read?.ok) {
    const look = { ...lookOf(here), repeat: here.repeat, landedOn: await readLandedOn(workspace, view) }
    printLines(['', ...searchLines(read.value.manifest, view, look)], here)
  }
  await writeResult(workspace, view.run, here, isJson)
}

/** Problems here do not fail the command: `search show` can write these files at any time. */
async function writeResult(
  workspace: Workspace,
  run: string,
  surroundings: Surroundings,
  isQuiet: boolean,
): Promise<void> {
  const { out, err, resources } = surroundings
  const write = async ({ text, file }: { text: string; file: string }, name: string | null) => {
    const trouble = await writeInto({ file, cwd: '/', isOver: true }, text)
    if (trouble) err.write(problemLines([trouble]))
    else if (!isQuiet && name !== null) out.write(`${name}: ${file}\n`)
  }
  const json = await searchReport(workspace, { run, format: 'json' })
  if (json.ok) await write(json.value, null)
  const summary = await searchReport(workspace, { run, format: 'md' })
  if (summary.ok) await write(summary.value, 'Summary')
  const built = builtApp()
  if (built === null) return
  // Written after this command has released the run, so that the page shows it without an engine.
  const writePage = async () => {
    const page = await runPage(workspace, run, surroundings, { built, name: join(run, 'tree.html') })
    if (page.ok) await write(page.value, 'Page')
  }
  resources.use({ [Symbol.asyncDispose]: writePage })
}
