// The end of a suite's run: its result in a few lines, the reports that were asked for, and the exit status.

import { appendFile } from 'node:fs/promises'
import type { RunResult } from '../../engine/run/run-result.ts'
import { readSuiteReport } from '../../engine/suite/report-of-suite-run.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { messageParts } from '../../failure.ts'
import { githubAnnotations, suiteMarkdown } from '../../reports/suite/document.ts'
import { suiteJunit } from '../../reports/suite/junit.ts'
import { summaryLine as suiteSummaryLine } from '../../reports/suite/words.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { hanging, widest } from '../../text/width.ts'
import type { RunView } from '../../view.ts'
import type { ReportedEntry, SuiteReport } from '../../workloads/suite/report.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { refuseWith, statusOf } from '../refusal.ts'
import { nextLines } from '../status/next-steps.ts'
import { lookOf, type Surroundings, width } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { writeText } from '../terminal/write-page.ts'

export type SuiteOutputs = {
  json?: boolean | undefined
  junit?: string | undefined
  markdown?: string | undefined
}

/** `outputs`: null where the result was told already. */
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
  // Entries in quarantine do not fail a suite, so its run may have failed and the suite not.
  return report.ok && result.stuck === null ? EXIT.done : EXIT.failed
}

async function writeReports(
  workspace: Workspace,
  report: SuiteReport,
  { junit, markdown }: SuiteOutputs,
  here: Surroundings,
): Promise<ExitStatus> {
  const write = async (text: string, file: string) => {
    // The path that is printed must not get into what --json prints.
    return statusOf(await writeText(text, file, { ...here, out: file === '-' ? here.out : here.err }), here)
  }
  const status = junit === undefined ? EXIT.done : await write(await suiteJunit(workspace, report), junit)
  return status === EXIT.done && markdown !== undefined ? await write(suiteMarkdown(report), markdown) : status
}

/** Where the suite runs in GitHub Actions: annotations in the log, and the report in the summary of the step. */
async function tellGithub(report: SuiteReport, { env, err }: Surroundings): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true') return
  for (const line of githubAnnotations(report)) err.write(`${line}\n`)
  const file = env.GITHUB_STEP_SUMMARY
  if (!file) return
  await appendFile(file, suiteMarkdown(report)).catch((error: Error) =>
    err.write(`the step summary could not be written: ${error.message}\n`),
  )
}

/** `✗ e2e  failed  12s  3 tries  exited with status 1` */
export function suiteLines(
  report: SuiteReport,
  { out, outPalette: palette }: Pick<Surroundings, 'out' | 'outPalette'>,
): string[] {
  const { entries } = report
  const columns = Math.min(40, widest(entries.map(({ id }) => id)))
  const isLong = entries.length > MOST_LINES
  const shown = isLong ? entries.filter((one) => one.verdict !== 'passed' && one.verdict !== 'pending') : entries
  const result = `Suite ${report.ok ? 'passed' : 'failed'}: ${suiteSummaryLine(report)}`
  const lines = shown.map((entry) => entryLine(entry, columns, palette))
  return [...lines, ...comparisonLines(report), ...hanging(result, width(out) - 1, 2)]
}

export function nextOfSuite(view: RunView, report: SuiteReport, repeat: string, surroundings: Surroundings): string[] {
  const keptWorktrees = report.entries.flatMap(({ id, kept }) => (kept === null ? [] : [id]))
  const steps = nextSteps(view, { keptWorktrees, flags: repeat })
  return steps.length === 0 ? [] : ['', ...nextLines(steps, lookOf(surroundings))]
}

const MOST_LINES = 60
const SIGNS: Record<ReportedEntry['verdict'], string> = {
  ...{ passed: '✓', flaky: '~', failed: '✗', blocked: '■', cancelled: '–', running: '●', pending: '·' },
}

function entryLine(entry: ReportedEntry, columns: number, palette: Surroundings['outPalette']): string {
  const { id, verdict, tries, quarantined, newlyFailing, failure } = entry
  // As `status` has it: all tries together.
  const ended = tries.flatMap(({ startedAt, finishedAt }) => (finishedAt === null ? [] : [finishedAt - startedAt]))
  const durationMs = ended.length === 0 ? null : ended.reduce((sum, one) => sum + one, 0)
  const [said = ''] = messageParts(failure?.message ?? '').said.split('\n')
  const facts = [
    durationMs === null ? '' : formatDuration(durationMs),
    tries.length > 1 ? `${tries.length} tries` : '',
    quarantined ? 'quarantined' : '',
    newlyFailing ? 'passed the last time' : '',
    entry.stability.kind === 'flaky'
      ? `failed ${Math.round(entry.stability.failureRate * entry.stability.tries)} of ${entry.stability.tries} tries so far`
      : '',
    verdict === 'failed' || verdict === 'blocked' ? safeLine(said) : '',
  ]
  const text =
    `${SIGNS[verdict]} ${id.padEnd(columns)}  ${verdict.padEnd(7)}  ${facts.filter((fact) => fact !== '').join('  ')}`.trimEnd()
  const colour = verdict === 'failed' || verdict === 'blocked' ? palette.bad : verdict === 'flaky' ? palette.busy : null
  return colour ? colour(text) : text
}

function comparisonLines({ comparison }: SuiteReport): string[] {
  if (!comparison) return []
  const line = (name: string, all: readonly { key: string }[]) =>
    all.length === 0 ? [] : [`${name}: ${all.map(({ key }) => key).join(', ')}`]
  return [
    ...line('Newly broken', comparison.newlyBroken),
    ...line('Newly fixed', comparison.newlyFixed),
    ...line('Still failing', comparison.stillFailing),
    ...line('Slower', comparison.slower),
  ]
}
