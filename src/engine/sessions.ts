// The sessions of a run: every conversation an agent had, as the journal tells of it.
import { join } from 'node:path'
import { ok, type Result } from '../problem.ts'
import { listChunks } from '../process/chunks.ts'
import { workerOf } from '../spending.ts'
import type { AttemptView, Outcome, TaskView } from '../status.ts'
import type { Work } from '../task.ts'
import type { Usage } from '../usage.ts'
import { readWithPlan, type Where } from './read.ts'
import { isWork, stepsIn } from './read-log.ts'
import { attemptFolder } from './state-folder.ts'

export type SessionView = {
  run: string
  task: string
  attempt: number
  agent: string
  /** Null where neither the agent nor the plan says. */
  model: string | null
  /** The agent's own name for it; null while it runs, and where the agent has none. */
  session: string | null
  startedAt: number
  /** Null while it runs. */
  finishedAt: number | null
  outcome: Outcome | null
  turns: number
  messages: number
  toolCalls: number
  usage: Usage | null
  /** The files with all that the agent printed, in the order they were written. */
  transcript: string[]
}

/** In the order of the plan; by default of the newest run. A shell command of the plan has none. */
export async function readSessions(
  where: Where & { run?: string | undefined; task?: string | undefined },
): Promise<Result<SessionView[]>> {
  const found = await readWithPlan(where)
  if (!found.ok) return found
  const { view, plan, folder } = found.value
  const works = new Map(plan?.tasks.map(({ id, work }) => [id, work]))
  const sessions: SessionView[] = []
  for (const task of view.tasks) {
    if (where.task !== undefined && task.id !== where.task) continue
    const work = works.get(task.id)
    for (const attempt of task.history) {
      const { root } = attemptFolder(folder, view.run, task.id, attempt.attempt)
      if (hasSession(attempt, work))
        sessions.push(sessionView(view.run, task, attempt, work, await transcriptFiles(root)))
    }
  }
  return ok(sessions)
}

export function hasSession({ session }: AttemptView, work: Work | undefined): boolean {
  return Boolean(session) || work?.kind === 'prompt'
}

function sessionView(
  run: string,
  { id: task }: TaskView,
  view: AttemptView,
  work: Work | undefined,
  transcript: string[],
): SessionView {
  const { attempt, startedAt, finishedAt, outcome, usage, session } = view
  const { agent, model } = workerOf(view, work)
  const { turns = 0, messages = 0, toolCalls = 0 } = session ?? {}
  return {
    ...{ run, task, attempt, agent: agent ?? 'unknown', model, session: session?.id ?? null },
    ...{ startedAt, finishedAt, outcome, turns, messages, toolCalls, usage, transcript },
  }
}

/** Output is written in chunks, and an agent that was asked again has a folder for each time. */
async function transcriptFiles(root: string): Promise<string[]> {
  const steps = (await stepsIn(root)).filter(isWork)
  return steps.flatMap((step) => listChunks(join(root, step), 'output').map(({ path }) => path))
}
