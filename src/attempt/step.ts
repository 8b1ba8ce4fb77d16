// The commands around an agent's work that have to pass: setup before it, verify after it. Each has a folder beside
// the work's (workspace/step-name.ts).
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { Exit } from '../process/supervise/exit.ts'
import { readTail } from '../process/supervise/output.ts'
import { adopt, type Supervised, supervise } from '../process/supervise/supervise.ts'
import { cut } from '../text/cut.ts'
import { isCheckOf, type StepKind } from '../workspace/step-name.ts'
import { describeExit } from './end.ts'
import { bounds } from './order.ts'

/** Where a command runs: the folder for its output, its worktree, and what it gets to see. */
export type Step = {
  dir: string
  cwd: string
  command: string
  env: Record<string, string>
  token: string
  settings: Settings
}

/** Starts the command in a folder made anew: after a restart a step is done again from the start. */
export async function startStep({ dir, cwd, command, env, token, settings }: Step): Promise<Supervised> {
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const argv = ['sh', '-c', command]
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
 * worktree. Only those of an iteration whose agent is not at work: the processes of an attempt are told apart by
 * nothing. Says whether there were any.
 */
export async function endSteps(
  { root, token, settings }: { root: string; token: string; settings: Settings },
  kind: StepKind,
  iteration = 1,
): Promise<boolean> {
  const names = (await readdir(root).catch(() => [])).filter((name) => isCheckOf(name, kind, iteration))
  for (const name of names) await (await adopt(join(root, name), token, bounds(settings)))?.stop()
  return names.length > 0
}
