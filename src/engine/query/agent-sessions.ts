// Sessions of a run, the conversations of its agents: task, result and reports, for later readers. Made from the journal and the
// attempt's folder, also while the agent works.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Json, objectAt, textAt } from '../../agents/read-json-fields.ts'
import { notedCommits } from '../../attempt/snapshot-once.ts'
import { workerOf } from '../../facts/spending.ts'
import { ok, type Result } from '../../problem.ts'
import { readStatus } from '../../process/supervise/exit.ts'
import { listChunks } from '../../process/supervise/read-output.ts'
import type { Task } from '../../task.ts'
import type { AttemptView } from '../../view.ts'
import { type ReadRun, readWithPlan } from '../../workspace/read-runs.ts'
import {
  type AttemptFolder,
  attemptFolder,
  isWork,
  newestIteration,
  stepName,
  stepsIn,
} from '../../workspace/state-folder.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type SessionView = Awaited<ReturnType<typeof sessionView>>
export type SessionNote = Awaited<ReturnType<typeof sessionNote>>

/** `number`: its place among all sessions of the run, by their start. */
type FoundSession = { run: string; task: Task; view: AttemptView; folder: AttemptFolder; number: number }

async function sessionNote(found: FoundSession) {
  const { task, view, folder } = found
  const session = await sessionView(found)
  const end = sessionEnd(folder)
  return {
    ...session,
    session: session.session ?? end.id,
    title: task.title,
    /** The program's own record of the conversation, and why that ended, if it reports them. */
    ownTranscript: end.transcript,
    endReason: end.reason,
    failure: view.failure,
    summary: view.summary,
    changed: view.touched ?? null,
    diff: view.diff,
    commit: view.commit,
    ownCommits: notedCommits(newestIteration(folder).snapshot),
    checks: checksOf(task, folder),
    notes: view.notes ?? [],
    asked: view.asked ?? [],
    decisions: task.decisions ?? [],
  }
}

async function sessionView({ run, task: { id: task, work }, view, folder, number }: FoundSession) {
  const { attempt, startedAt, finishedAt, outcome, usage, session, choice } = view
  const { agent, model } = workerOf(view, work)
  const { turns = 0, messages = 0, toolCalls = 0 } = session ?? {}
  return {
    run,
    task,
    attempt,
    sessionNumber: number,
    /** The only type that the requirement documents know. */
    sessionType: 'coding' as const,
    agent: agent ?? 'unknown',
    /** Null: neither the agent nor the plan says. */
    model,
    /** The agent's own id for it; null while it runs, and for agents without ids. */
    session: session?.id ?? null,
    ...(choice ? { choice } : {}),
    ...{ startedAt, finishedAt, outcome, turns, messages, toolCalls, usage },
    transcript: await transcriptFiles(folder.root),
  }
}

/** Output is written in chunks, and each iteration of an agent has a folder. */
async function transcriptFiles(root: string): Promise<string[]> {
  const steps = (await stepsIn(root)).filter(isWork)
  return steps.flatMap((step) => listChunks(join(root, step), 'output').map(({ path }) => path))
}

/** The program's data about the end of the conversation, from its newest process that left some. */
function sessionEnd(folder: AttemptFolder): Record<'id' | 'transcript' | 'reason', string | null> {
  for (let { number } = newestIteration(folder); number > 0; number--) {
    const said = smallJson(folder.iteration(number).sessionEnd)
    if (said === null) continue
    const [id, transcript] = [textAt(said, 'session_id'), textAt(said, 'transcript_path')]
    return { id, transcript, reason: textAt(said, 'reason') }
  }
  return { id: null, transcript: null, reason: null }
}

/** Null: missing, or not a small regular file. The agent can write there too: a pipe would block, and a device has no end. */
function smallJson(path: string): Json | null {
  try {
    const file = statSync(path)
    if (!file.isFile() || file.size > MAX_END_BYTES) return null
    return objectAt(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** The `verify` commands of the task, run after the agent ended. `passed` is null for one that was not run to its end. */
function checksOf({ verify }: Task, folder: AttemptFolder): { command: string; passed: boolean | null }[] {
  const { number } = newestIteration(folder)
  return verify.map((command, index) => {
    const status = readStatus(folder.step(stepName('verify', index + 1, number)))
    const { ending } = status ?? {}
    return { command, passed: ending?.kind === 'exited' ? ending.code === 0 : null }
  })
}

const MAX_END_BYTES = 64 << 10

/** In the order of the plan; by default of the newest run. Shell commands have none. */
export async function readSessions(
  workspace: Workspace,
  options: { run?: string | undefined; task?: string | undefined } = {},
): Promise<Result<SessionView[]>> {
  const found = await readWithPlan(workspace, options)
  return found.ok ? ok(await sessionViews(found.value, options.task)) : found
}

export async function sessionViews(read: ReadRun, task?: string | undefined): Promise<SessionView[]> {
  return Array.fromAsync(sessionsOf(read, task), sessionView)
}

export function sessionsOf({ view: { run, tasks }, plan, folder }: ReadRun, only?: string | undefined): FoundSession[] {
  const planned = new Map(plan?.tasks.map((task) => [task.id, task]))
  const all = tasks.flatMap(({ id, history }) => {
    const task = planned.get(id)
    if (!task) return []
    const sessions = history.filter(({ session }) => session || task.work.kind === 'prompt')
    return sessions.map((view) => ({ run, task, view, folder: attemptFolder(folder, run, id, view.attempt) }))
  })
  const byStart = all.toSorted((a, b) => a.view.startedAt - b.view.startedAt)
  const numbered = byStart.map((session, index) => ({ ...session, number: index + 1 }))
  const ofTask = Map.groupBy(numbered, ({ task }) => task.id)
  const wanted = only === undefined ? tasks.map(({ id }) => id) : [only]
  return wanted.flatMap((id) => ofTask.get(id) ?? [])
}

/** In the order of the plan; by default of the newest run. */
export async function readSessionNotes(
  workspace: Workspace,
  options: { run?: string | undefined; task?: string | undefined } = {},
): Promise<Result<SessionNote[]>> {
  const found = await readWithPlan(workspace, options)
  return found.ok ? ok(await sessionNotes(sessionsOf(found.value, options.task))) : found
}

export function sessionNotes(sessions: readonly FoundSession[]): Promise<SessionNote[]> {
  return Array.fromAsync(sessions, sessionNote)
}
