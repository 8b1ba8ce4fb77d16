// What one attempt is made of, and what its processes get to see of it.
import type { Agent } from '../agents/agent.ts'
import type { Earlier } from '../agents/prompt.ts'
import type { Settings } from '../config.ts'
import type { EngineRepository } from '../git/engine-repository.ts'
import { agentEnvironment } from '../process/environment.ts'
import type { Bounds } from '../process/supervise.ts'
import type { Task } from '../task.ts'
import { type AttemptFolder, temporaryFolder } from './state-folder.ts'

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

export function attemptEnvironment(spec: AttemptSpec, worktree: string): Record<string, string> {
  const { run, task, attempt, slot, folder, settings, environment, token } = spec
  const first = settings.ports.first + (slot - 1) * settings.ports.perSlot
  return agentEnvironment(environment, settings.envAllow, {
    ...task.env,
    TMPDIR: temporaryFolder(token),
    ESPALIER_RUN: run,
    ESPALIER_TASK: task.id,
    ESPALIER_ATTEMPT: String(attempt),
    ESPALIER_WORKTREE: worktree,
    ESPALIER_LOG_DIR: folder.files,
    ...(task.work.kind === 'prompt' ? { ESPALIER_PROMPT_FILE: folder.promptFile } : {}),
    ESPALIER_SLOT: String(slot),
    ESPALIER_PORT: String(first),
    ESPALIER_PORT_LAST: String(first + settings.ports.perSlot - 1),
  })
}

export function bounds({ logs, graceMs }: Settings): Bounds {
  return { chunkBytes: logs.chunkBytes, maxBytes: logs.maxBytes, graceMs }
}
