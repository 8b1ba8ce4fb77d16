// The commands around an agent's work that have to pass: setup before it, verify after it. Each has a folder beside
// the work's, `setup-1`, `verify-2`.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { cut } from '../agents/cut.ts'
import type { Failure } from '../failure.ts'
import type { Exit } from '../process/exit.ts'
import { readTail } from '../process/output.ts'
import { adopt, type Supervised, supervise } from '../process/supervise.ts'
import { describeExit } from './attempt-end.ts'
import { type AttemptSpec, attemptEnvironment, bounds } from './attempt-spec.ts'

export type StepKind = 'setup' | 'verify'

/** Starts the command in a folder made anew: after a restart a step is done again from the start. */
export async function startStep(
  spec: AttemptSpec,
  { name, command, cwd }: { name: string; command: string; cwd: string },
): Promise<Supervised> {
  const { folder, settings, token } = spec
  const dir = folder.step(name)
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const argv = ['sh', '-c', command]
  const env = attemptEnvironment(spec, cwd)
  return supervise({ dir, cwd, argv, stdin: null, env, token, stderr: 'merge', plain: true, ...bounds(settings) })
}

export async function stepFailure(dir: string, command: string, kind: StepKind, exit: Exit): Promise<Failure | null> {
  if (exit.kind === 'exited' && exit.code === 0) return null
  const tail = (await readTail(dir, TAIL_BYTES)).trimEnd()
  const message = `\`${cut(command, COMMAND_CHARS)}\` ${describeExit(exit)}${tail ? `:\n${tail}` : ''}`
  return { reason: `${kind}-failed`, message }
}

// Together less than LIMITS.messageChars: the end of the output is what says why.
const TAIL_BYTES = 1_500
const COMMAND_CHARS = 300

/**
 * Ends the steps that an engine before this one started, whichever of them was under way: it may still write to the
 * worktree. Only while the agent is not at work: the processes of an attempt are told apart by nothing.
 */
export async function endSteps(spec: AttemptSpec, kind: StepKind): Promise<void> {
  const { folder, token, settings } = spec
  const names = await readdir(folder.root).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(`${kind}-`)))
    await (await adopt(folder.step(name), token, bounds(settings)))?.stop()
}
