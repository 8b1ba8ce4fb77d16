// What one attempt is made of, and what its processes get to see of it.
import type { Agent } from '../agents/agent.ts'
import { costOf, priceOf } from '../agents/prices.ts'
import type { Earlier } from '../agents/prompt.ts'
import type { Settings } from '../config.ts'
import type { EngineRepository } from '../git/engine-repository.ts'
import { agentEnvironment } from '../process/environment.ts'
import type { Bounds } from '../process/supervise.ts'
import type { Task } from '../task.ts'
import type { Usage } from '../usage.ts'
import { type AttemptFolder, type IterationFolder, temporaryFolder } from './state-folder.ts'

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
  /** What an attempt before this one failed of. */
  earlier(): Promise<Earlier | null>
  folder: AttemptFolder
  token: string
  settings: Settings
  environment: NodeJS.ProcessEnv
  progress(message: string): void
}

export function attemptEnvironment(
  spec: AttemptSpec,
  worktree: string,
  { number, promptFile }: IterationFolder,
): Record<string, string> {
  const { run, task, attempt, slot, folder, settings, environment, token } = spec
  const first = settings.ports.first + (slot - 1) * settings.ports.perSlot
  return agentEnvironment(environment, [...settings.envAllow, ...spec.agent.variables], {
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

/** A conversation has the name of its attempt and of the iteration it begins with, in the form programs want it. */
export function sessionName(token: string, iteration: number): string {
  const [a, b, c, d] = [token.slice(0, 8), token.slice(8, 12), token.slice(13, 16), token.slice(17, 20)]
  return `${a}-${b}-4${c}-8${d}-${token.slice(20, 30)}${iteration.toString(16).padStart(2, '0')}`
}

/** Null: nobody insists on its claims, or it has none and so has declared nothing. */
export function mayWrite({ task: { claims }, settings }: AttemptSpec): readonly string[] | null {
  const isFree = settings.claims !== 'enforce' || claims.write.length + claims.read.length === 0
  return isFree ? null : claims.write
}

/** What it cost, by the price of its model, where the agent does not say. */
export function priced(usage: Usage, { agent, model }: AttemptSpec, used: string | null): Usage {
  const name = used ?? model
  const price = agent.counters.cost === 'none' && name !== null ? priceOf(name) : null
  return price ? { ...usage, costUsd: costOf(usage, price) } : usage
}

export function bounds({ logs, graceMs }: Settings): Bounds {
  return { chunkBytes: logs.chunkBytes, maxBytes: logs.maxBytes, graceMs }
}
