// One run of a suite, as a benchmark measures it.
import { type FoundSuite, openSuite } from '../src/engine/suite/open-suite.ts'
import { readSuiteReport } from '../src/engine/suite/report-of-suite-run.ts'
import type { SuiteReport } from '../src/workloads/suite/report.ts'
import { workspaceAt } from '../test/rig/workspace-at.ts'

export async function runSuite(
  repo: string,
  entries: FoundSuite['entries'],
  head: FoundSuite['head'],
): Promise<SuiteReport & { wallMs: number }> {
  const workspace = await workspaceAt(repo)
  const found: FoundSuite = { name: 'bench', head, entries, warnings: [], file: null, folder: repo }
  const start = performance.now()
  const opened = await openSuite(workspace, { found, below: [], above: [] })
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems))
  const { run } = opened.value
  await run.execute()
  const wallMs = performance.now() - start
  await run[Symbol.asyncDispose]()
  const report = await readSuiteReport(workspace, { run: run.id })
  if (!report.ok) throw new Error(JSON.stringify(report.problems))
  return { ...report.value, wallMs }
}
