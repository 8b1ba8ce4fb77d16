// The sessions of a run: every conversation of an agent, by the journal.
import { ok, type Result } from '../../problem.ts'
import type { Work } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import { type ReadRun, readWithPlan } from '../../workspace/read-runs.ts'
import { attemptFolder } from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import {
  type FoundSession,
  type SessionNote,
  type SessionView,
  sessionNote,
  sessionView,
} from '../run/session-summary.ts'

/** In the order of the plan; by default of the newest run. Shell commands have none. */
export async function readSessions(
  workspace: Workspace,
  options: { run?: string | undefined; task?: string | undefined } = {},
): Promise<Result<SessionView[]>> {
  const found = await readWithPlan(workspace, options)
  if (!found.ok) return found
  const sessions: SessionView[] = []
  for (const one of sessionsOf(found.value, options.task)) sessions.push(await sessionView(one))
  return ok(sessions)
}

export function sessionsOf({ view: { run, tasks }, plan, folder }: ReadRun, only?: string | undefined): FoundSession[] {
  const planned = new Map(plan?.tasks.map((task) => [task.id, task]))
  return tasks.flatMap(({ id, history }) => {
    const task = only === undefined || only === id ? planned.get(id) : undefined
    if (!task) return []
    const sessions = history.filter((view) => hasSession(view, task.work))
    return sessions.map((view) => ({ run, task, view, folder: attemptFolder(folder, run, id, view.attempt) }))
  })
}

function hasSession({ session }: AttemptView, work: Work | undefined): boolean {
  return Boolean(session) || work?.kind === 'prompt'
}

/** In the order of the plan; by default of the newest run. */
export async function readSessionNotes(
  workspace: Workspace,
  options: { run?: string | undefined; task?: string | undefined } = {},
): Promise<Result<SessionNote[]>> {
  const found = await readWithPlan(workspace, options)
  if (!found.ok) return found
  return ok(await sessionNotes(sessionsOf(found.value, options.task)))
}

export async function sessionNotes(sessions: readonly FoundSession[]): Promise<SessionNote[]> {
  const notes: SessionNote[] = []
  for (const session of sessions) notes.push(await sessionNote(session))
  return notes
}
