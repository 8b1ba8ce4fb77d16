// The report of a run, read from the state folder.

import { readLandedOn } from '../engine/deliver/is-run-in-checkout.ts'
import { readLessonsOfRun } from '../engine/expertise/manage-lessons.ts'
import { readDoneSince } from '../engine/history/landed-tasks.ts'
import { sessionNotes, sessionsOf } from '../engine/query/agent-sessions.ts'
import { RunHistory } from '../facts/landing-queue-history.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { readEvents, readWithPlan } from '../workspace/read-runs.ts'
import { attemptFolder, newestIteration } from '../workspace/state-folder.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { logTails } from './facts/log-tails.ts'
import type { ReportInput } from './facts/run.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown.ts'
import { type Summary, summaryOf } from './summary.ts'

/** Text formats; `htmlReport` makes the page. */
type ReportFormat = 'md' | 'json'

const MAX_NOTES = 500

export async function report(
  workspace: Workspace,
  options: { run?: string | undefined; format: ReportFormat },
): Promise<Result<{ run: string; text: string }>> {
  const input = await readReportInput(workspace, options)
  if (!input.ok) return input
  const render = { md: renderMarkdown, json: renderJson }[options.format]
  return ok({ run: input.value.view.run, text: render(input.value) })
}

export async function readSummaryOf(workspace: Workspace, options: { run: string }): Promise<Result<Summary>> {
  const input = await readReportInput(workspace, options)
  return input.ok ? ok(summaryOf(input.value)) : input
}

async function readReportInput(
  workspace: Workspace,
  options: { run?: string | undefined },
): Promise<Result<ReportInput>> {
  const found = await readWithPlan(workspace, options)
  if (!found.ok) return found
  const { view, plan, folder } = found.value
  if (!plan) return refuse(`the plan of run ${view.run} is gone`)
  const workOf = (task: string, attempt: number) => newestIteration(attemptFolder(folder, view.run, task, attempt)).work
  const tails = await logTails(view, plan, workOf)
  // Reading the journal takes a while on a large run, and only the landing queue needs it.
  const events = view.queue ? await readEvents(workspace, { run: view.run }) : ok(null)
  if (!events.ok) return events
  const sessions = sessionsOf(found.value)
  const notes = await sessionNotes(sessions.slice(0, MAX_NOTES))
  const notesLeftOut = sessions.length - notes.length
  const learned = await readLessonsOfRun(workspace, view)
  if (!learned.ok) return learned
  const landedOn = view.engine ? null : await readLandedOn(workspace, view)
  const landedSince = view.engine ? new Map() : await readDoneSince(workspace, view)
  const generatedAt = Date.now()
  const history = events.value && RunHistory.of(events.value)
  const told = { history, notes, notesLeftOut, learned: learned.value, landedOn, landedSince }
  return ok({ view, plan, logTails: tails, ...told, generatedAt })
}
