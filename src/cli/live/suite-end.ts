// The end of a suite run: its result in a few lines, the requested reports, and the exit status.

import { appendFile } from 'node:fs/promises'
import type { RunResult } from '../../engine/run/run-result.ts'
import { readSuiteReport } from '../../engine/suite/report-of-suite-run.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { suiteJunit } from '../../reports/suite/junit.ts'
import { githubAnnotations, suiteMarkdown, suiteSections } from '../../reports/suite/markdown-and-annotations.ts'
import { summaryLine as suiteSummaryLine } from '../../reports/suite/words.ts'
import { hanging } from '../../text/width.ts'
import type { RunView } from '../../view.ts'
import type { SuiteReport } from '../../workloads/suite/report.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { refuseWith, statusOf } from '../refusal.ts'
import { nextLines } from '../status/next-steps.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { sectionLines } from '../terminal/section-lines.ts'
import { blocks } from '../terminal/table.ts'
import { writeText } from '../terminal/write-page.ts'

export type SuiteOutputs = {
  json?: boolean | undefined
  junit?: string | undefined
  markdown?: string | undefined
}

/** `outputs`: null if the result was printed already. */
export async function suiteEnd(
  workspace: Workspace,
  { status, result }: { status: RunView; result: RunResult },
  outputs: SuiteOutputs | null,
  here: Surroundings & { repeat: string },
): Promise<ExitStatus> {
  const read = await readSuiteReport(workspace, { run: status.run })
  if (!read.ok) return refuseWith(read.problems, here, EXIT.failed)
  const report = read.value
  if (outputs) {
    const written = await writeReports(workspace, report, outputs, here)
    const lines = ['', ...suiteLines(report, here), ...nextOfSuite(status, report, here.repeat, here)]
    if (outputs.json) printJson(report, here)
    else printLines(lines, here)
    await tellGithub(report, here)
    if (written !== EXIT.done) return written
  }
  if (result.interrupted && result.stuck === null) return EXIT.interrupted
  // Quarantined entries do not fail a suite, so it may pass although its run failed.
  return report.ok && result.stuck === null ? EXIT.done : EXIT.failed
}

async function writeReports(
  workspace: Workspace,
  report: SuiteReport,
  { junit, markdown }: SuiteOutputs,
  here: Surroundings,
): Promise<ExitStatus> {
  const write = async (text: string, file: string) => {
    // The printed path must not mix with the output of --json.
    return statusOf(await writeText(text, file, { ...here, out: file === '-' ? here.out : here.err }), here)
  }
  const status = junit === undefined ? EXIT.done : await write(await suiteJunit(workspace, report), junit)
  return status === EXIT.done && markdown !== undefined ? await write(suiteMarkdown(report), markdown) : status
}

/** In GitHub Actions: writes annotations to the log, and the report to the step summary. */
async function tellGithub(report: SuiteReport, { env, err }: Surroundings): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true') return
  for (const line of githubAnnotations(report)) err.write(`${line}\n`)
  const file = env.GITHUB_STEP_SUMMARY
  if (!file) return
  await appendFile(file, suiteMarkdown(report)).catch((error: Error) =>
    err.write(`the step summary could not be written: ${error.message}\n`),
  )
}

export function suiteLines(report: SuiteReport, here: Surroundings): string[] {
  const look = lookOf(here)
  const result = `Suite ${report.ok ? 'passed' : 'failed'}: ${suiteSummaryLine(report)}`
  return blocks([sectionLines(suiteSections(report), look), hanging(result, look.width - 1, 2)])
}

export function nextOfSuite(view: RunView, report: SuiteReport, repeat: string, surroundings: Surroundings): string[] {
  const keptWorktrees = report.entries.flatMap(({ id, kept }) => (kept === null ? [] : [id]))
  const steps = nextSteps(view, { keptWorktrees, flags: repeat })
  return steps.length === 0 ? [] : ['', ...nextLines(steps, lookOf(surroundings))]
}
