// What one attempt is made of, and what its processes get to see of it.
import { join } from 'node:path'
import type { Agent, HookFiles } from '../agents/agent.ts'
import { priceOf } from '../agents/prices.ts'
import type { Settings } from '../config.ts'
import type { EngineRepository } from '../git/engine/repository.ts'
import type { Lesson } from '../lesson.ts'
import { agentEnvironment } from '../process/environment.ts'
import { HEARTBEAT } from '../process/supervise/printed.ts'
import type { Bounds } from '../process/supervise/supervise.ts'
import type { Earlier } from '../prompts/facts.ts'
import type { Templates } from '../prompts/templates.ts'
import { withGranted } from '../scheduler/claims/asked.ts'
import type { AttemptView, Note } from '../status.ts'
import type { Claims, Task } from '../task.ts'
import type { Usage } from '../usage.ts'
import { costOf } from '../usage.ts'
import { type AttemptFolder, type IterationFolder, temporaryFolder } from '../workspace/folder.ts'
import type { KnownFacts } from './prompt-facts.ts'

export type AttemptSpec = {
  run: string
  task: Task
  attempt: number
  slot: number
  base: string
  /** When an engine before this one asked it to end, because that engine was interrupted. */
  askedToStopAt: number | null
  /** It goes on in the worktree of the task before it, whose ignored files it finds there. */
  continues: boolean
  /** Of the setup commands and what they depend on in a commit: they run once per worktree and key. */
  setupKey(commit: string): Promise<string | null>
  /** Untracked files of the user's checkout that every worktree gets. */
  include: readonly string[]
  engine: EngineRepository
  agent: Agent
  /** Null: the agent's own choice. */
  model: string | null
  /** `base` is this conflict, which the attempt is to resolve; null: it does its task from the start. */
  resolves: { commit: string; onto: string } | null
  templates: Templates
  /** What its agent is told of the task. */
  told(): KnownFacts
  /** What earlier attempts have taught, for its prompt. */
  expertise(): Promise<Lesson[]>
  /** What an attempt before this one failed of. */
  earlier(): Promise<Earlier | null>
  /** What the run knows of it by now. */
  view(): AttemptView | undefined
  /** What its agent has told by now, also what the run has not taken in yet. */
  notes(): Promise<Note[]>
  /** Globs that the task was granted besides its claims. */
  granted(): readonly string[]
  /** The root of the state folder. */
  stateRoot: string
  folder: AttemptFolder
  token: string
  settings: Settings
  environment: NodeJS.ProcessEnv
  /** Values that must not get into anything that is kept of it. */
  secrets: readonly string[]
  progress(message: string): void
  budgets: AttemptBudgets
}

/** The budgets an attempt counts for, as they stand when they are asked. */
export type AttemptBudgets = {
  /** The smallest of them; null: there is none. */
  tightestUsd(): number | null
  /** What the attempt may spend in all before it is ended; null: nothing ends it. */
  allowanceUsd(): number | null
  /** `ended`: its agent has ended, so this is all for now. */
  spent(costUsd: number, ended: boolean): void
}

/** `variables`: those of its agent (`Agent.variables`). Only the agent's own process gets them: among them is its key. */
export function attemptEnvironment(
  spec: AttemptSpec,
  worktree: string,
  { number, promptFile }: IterationFolder,
  variables: readonly string[] = [],
): Record<string, string> {
  const { run, task, attempt, slot, folder, settings, environment, token } = spec
  const first = settings.ports.first + (slot - 1) * settings.ports.perSlot
  return agentEnvironment(environment, [...settings.envAllow, ...variables], {
    ...task.env,
    TMPDIR: temporaryFolder(token),
    ESPALIER_RUN: run,
    ESPALIER_TASK: task.id,
    ESPALIER_ATTEMPT: String(attempt),
    ESPALIER_WORKTREE: worktree,
    ESPALIER_LOG_DIR: folder.files,
    ...(task.work.kind === 'prompt' ? { ESPALIER_PROMPT_FILE: promptFile, ESPALIER_ITERATION: String(number) } : {}),
    ESPALIER_SLOT: String(slot),
    ESPALIER_PORT: String(first),
    ESPALIER_PORT_LAST: String(first + settings.ports.perSlot - 1),
  })
}

/** Beside the output of the process they are for; what it may write is the same for all processes of the attempt. */
export function hookFiles(spec: AttemptSpec, worktree: string, { work, sessionEnd }: IterationFolder): HookFiles {
  return {
    settings: join(work, 'hooks.json'),
    mayWrite: mayWrite(spec) === null ? null : spec.folder.mayWrite,
    worktree,
    heartbeat: join(work, HEARTBEAT),
    sessionEnd,
  }
}

/** A conversation has the name of its attempt and of the iteration it begins with, in the form programs want it. */
export function sessionName(token: string, iteration: number): string {
  const [a, b, c, d] = [token.slice(0, 8), token.slice(8, 12), token.slice(13, 16), token.slice(17, 20)]
  return `${a}-${b}-4${c}-8${d}-${token.slice(20, 30)}${iteration.toString(16).padStart(2, '0')}`
}

/** Null: nobody insists on its claims, or it has none and so has declared nothing. */
export function mayWrite(spec: AttemptSpec): readonly string[] | null {
  const claims = claimsOf(spec)
  const isFree = spec.settings.claims !== 'enforce' || claims.write.length + claims.read.length === 0
  return isFree ? null : claims.write
}

/** Those of the plan, and what its agent has asked for and got by now. */
export function claimsOf({ task, granted }: AttemptSpec): Claims {
  return withGranted(task.claims, granted())
}

/** What it cost, by the price of its model, where the agent does not say. */
export function priced(usage: Usage, { agent, model, settings }: AttemptSpec, used: string | null): Usage {
  const name = used ?? model
  const tellsNone = agent.counters.cost === 'none' || usage.costUsd === 0
  const price = tellsNone && name !== null ? priceOf(name, settings.prices) : null
  if (price) return { ...usage, costUsd: costOf(usage, price) }
  const isUnknown = agent.counters.cost === 'none' && usage.costUsd === 0 && isSome(usage)
  return isUnknown ? { ...usage, costUnknown: true } : usage
}

function isSome({ inputTokens, outputTokens, cacheReadTokens }: Usage): boolean {
  return inputTokens + outputTokens + cacheReadTokens > 0
}

export function bounds({ logs, graceMs }: Settings): Bounds {
  return { chunkBytes: logs.chunkBytes, maxBytes: logs.maxBytes, graceMs }
}
