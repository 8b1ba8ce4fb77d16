// The report of a run, from what the state folder holds of it.

import { readLandedOn } from '../engine/landed-on.ts'
import { readLearnedIn } from '../engine/learned-in-run.ts'
import { readEvents, readWithPlan, type Where } from '../engine/read.ts'
import { sessionNotes } from '../engine/session-note.ts'
import { sessionsOf } from '../engine/sessions.ts'
import { attemptFolder, newestIteration } from '../engine/state-folder.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { readTail } from '../process/output.ts'
import type { RunView } from '../status.ts'
import { analysePlan } from '../workloads/analysis.ts'
import { renderHtml } from './html.ts'
import { renderJson } from './json.ts'
import { renderMarkdown } from './markdown.ts'

export type ReportFormat = 'md' | 'json' | 'html'

const TAIL_BYTES = 4_000
/** Tasks whose log is shown: the failed ones first. */
const MAX_TAILS = 500
/** Sessions whose notes are read. */
const MAX_NOTES = 500

export async function report(
  where: Where & { run?: string | undefined; format: ReportFormat },
): Promise<Result<{ run: string; text: string; folder: string }>> {
  const found = await readWithPlan(where)
  if (!found.ok) return found
  const { view, plan, folder } = found.value
  if (!plan) return refuse(`the plan of run ${view.run} is gone`)
  const workOf = (task: string, attempt: number) => newestIteration(attemptFolder(folder, view.run, task, attempt)).work
  const logTails = await tails(view, workOf)
  const analysis = analysePlan(plan, view.slots)
  // Reading the journal takes a while on a large run, and only the landing queue needs it.
  const events = view.queue ? await readEvents({ ...where, run: view.run }) : ok([])
  if (!events.ok) return events
  const sessions = sessionsOf(found.value)
  const notes = await sessionNotes(sessions.slice(0, MAX_NOTES))
  const notesLeftOut = sessions.length - notes.length
  const learned = await readLearnedIn(where, view)
  if (!learned.ok) return learned
  const landedOn = view.engine ? null : await readLandedOn(where, view)
  const generatedAt = Date.now()
  const told = { events: events.value, notes, notesLeftOut, learned: learned.value, landedOn }
  const input = { view, plan, analysis, logTails, ...told, generatedAt }
  const render = { md: renderMarkdown, json: renderJson, html: renderHtml }[where.format]
  return ok({ run: view.run, text: render(input), folder: folder.reports })
}

async function tails(view: RunView, dirOf: (task: string, attempt: number) => string): Promise<Record<string, string>> {
  const started = view.tasks.filter((task) => task.attempts > 0)
  const ordered = [...started.filter((task) => task.failure), ...started.filter((task) => !task.failure)]
  const found: Record<string, string> = {}
  for (const task of ordered.slice(0, MAX_TAILS)) {
    const tail = await readTail(dirOf(task.id, task.attempts), TAIL_BYTES).catch(() => '')
    if (tail !== '') found[task.id] = tail
  }
  return found
}
