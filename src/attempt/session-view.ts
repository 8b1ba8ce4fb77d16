// One conversation of an agent, as the journal and the attempt's folder tell of it.
import { join } from 'node:path'
import { workerOf } from '../facts/spending.ts'
import type { ModelChoice } from '../model-choice.ts'
import { listChunks } from '../process/supervise/chunks.ts'
import type { AttemptView, Outcome } from '../status.ts'
import type { Task } from '../task.ts'
import type { Usage } from '../usage.ts'
import type { AttemptFolder } from '../workspace/folder.ts'
import { isWork, stepsIn } from '../workspace/step-name.ts'

export type SessionView = {
  run: string
  task: string
  attempt: number
  agent: string
  /** Null where neither the agent nor the plan says. */
  model: string | null
  /** Where `model: auto` chose the model: which, and why. */
  choice?: ModelChoice | undefined
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

export type FoundSession = { run: string; task: Task; view: AttemptView; folder: AttemptFolder }

export async function sessionView({ run, task: { id: task, work }, view, folder }: FoundSession): Promise<SessionView> {
  const transcript = await transcriptFiles(folder.root)
  const { attempt, startedAt, finishedAt, outcome, usage, session, choice } = view
  const { agent, model } = workerOf(view, work)
  const { turns = 0, messages = 0, toolCalls = 0 } = session ?? {}
  return {
    ...{ run, task, attempt, agent: agent ?? 'unknown', model, session: session?.id ?? null },
    ...(choice ? { choice } : {}),
    ...{ startedAt, finishedAt, outcome, turns, messages, toolCalls, usage, transcript },
  }
}

/** Output is written in chunks, and an agent that was asked again has a folder for each time. */
async function transcriptFiles(root: string): Promise<string[]> {
  const steps = (await stepsIn(root)).filter(isWork)
  return steps.flatMap((step) => listChunks(join(root, step), 'output').map(({ path }) => path))
}
