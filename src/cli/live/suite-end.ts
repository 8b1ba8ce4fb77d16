// The end of a suite's run: its result in a few lines, the reports that were asked for, and the exit status.

import { appendFile } from 'node:fs/promises'
import type { Run } from '../../engine/run/run.ts'
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

export async function suiteEnd(
  run: Run,
  result: RunResult,
  { suite: outputs = {}, repeat }: { suite?: SuiteOutputs; repeat: string },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  if (result.stuck !== null)
    surroundings.err.write(
      `run ${run.id} was stopped by an environment error: ${result.stuck}\nfix that, then \`espalier resume ${run.id}${repeat}\`\n`,
    )
  const read = await readSuiteReport(run.workspace, { run: run.id })
  if (!read.ok) return refuseWith(read.problems, surroundings, EXIT.failed)
  const report = read.value
  const written = await writeReports(run, report, outputs, surroundings)
  if (outputs.json) printJson(report, surroundings)
  else
    printLines(
      [
        '',
        ...suiteLines(report, surroundings),
        ...nextOfSuite({ ...run.status(), engine: null }, report, repeat, surroundings),
      ],
      surroundings,
    )
  await tellGithub(report, surroundings)
  if (written !== EXIT.done) return written
  return suiteExit(report, result)
}

/** Entries in quarantine do not fail a suite, so its run may have failed and the suite not. */
export async function exitOfSuite(run: Run, result: RunResult): Promise<ExitStatus> {
  const read = await readSuiteReport(run.workspace, { run: run.id })
  return read.ok ? suiteExit(read.value, result) : EXIT.failed
}

function suiteExit({ ok }: SuiteReport, { interrupted, stuck }: Pick<RunResult, 'interrupted' | 'stuck'>): ExitStatus {
  if (interrupted && stuck === null) return EXIT.interrupted
  return ok && stuck === null ? EXIT.done : EXIT.failed
}

async function writeReports(
  run: Run,
  report: SuiteReport,
  { junit, markdown }: SuiteOutputs,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const wanted = { junit, markdown }
  for (const form of ['junit', 'markdown'] as const) {
    const file = wanted[form]
    if (file === undefined) continue
    const text = form === 'junit' ? await suiteJunit(run.workspace, report) : suiteMarkdown(report)
    // The path that is printed must not get into what --json prints.
    const quiet = { ...surroundings, out: file === '-' ? surroundings.out : surroundings.err }
    const status = statusOf(await writeText(text, file, quiet), surroundings)
    if (status !== EXIT.done) return status
  }
  return EXIT.done
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
  const lines = shown.map((entry) => entryLine(entry, columns, palette))
  return [...lines, ...comparisonLines(report), ...hanging(summaryText(report), width(out) - 1, 2)]
}

/** Below the lines of a suite: what to type next. */
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

function summaryText(report: SuiteReport): string {
  return `Suite ${report.ok ? 'passed' : 'failed'}: ${suiteSummaryLine(report)}`
}
