// The answer of a command of Espalier, run as a process of its own (engines/command.ts).
import { problem } from '../../problem.ts'
import type { ServerContext } from '../context.ts'
import type { CommandEnd } from '../engines/command.ts'
import { placed } from '../engines/start.ts'
import type { Project } from '../projects/projects.ts'
import { give, type Reply, refusal, refusedBy, text } from './reply.ts'

/** What it prints with `--json`, whatever its exit status. */
export async function commandJson(
  context: ServerContext,
  { workspace }: Project,
  args: readonly string[],
  signal: AbortSignal,
): Promise<Reply> {
  const end = await context.commands.run(args, { cwd: workspace.repo, signal })
  if (end.kind !== 'ended') return notEnded(end)
  const value = jsonOf(end.out)
  return value === undefined ? refusedBy(saidBy(end.err)) : give(value)
}

/** What it prints. */
export async function commandText(
  context: ServerContext,
  { workspace }: Project,
  args: readonly string[],
  { signal, type }: { signal: AbortSignal; type: string },
): Promise<Reply> {
  const end = await context.commands.run(args, { cwd: workspace.repo, signal })
  if (end.kind !== 'ended') return notEnded(end)
  return end.status === 0 ? text(type, end.out) : refusedBy(saidBy(end.err))
}

function notEnded({ kind }: Exclude<CommandEnd, { kind: 'ended' }>): Reply {
  return kind === 'busy'
    ? refusal('too-many-requests', 'as many commands run already as may: try again soon')
    : refusal('took-too-long', 'the command took too long, or printed too much')
}

function saidBy(err: string) {
  const lines = err.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.map(placed) : [problem('the command ended without a word')]
}

/** Its first member is the version of the output, which the protocol has one of its own for. */
function jsonOf(out: string): unknown {
  try {
    const { version: _, ...value } = JSON.parse(out) as Record<string, unknown>
    return value
  } catch {
    return undefined
  }
}
