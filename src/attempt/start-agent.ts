// Starting an agent: its arguments, its files, what it may see and spend.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { McpServer } from '../agents/mcp-server.ts'
import { packageFile } from '../files/package-file.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { type Supervised, supervise } from '../process/supervise/supervise.ts'
import { identityVariables } from '../workspace/attempt-identity.ts'
import type { AttemptFolder, IterationFolder } from '../workspace/folder.ts'
import { type AttemptSpec, attemptEnvironment, bounds, hookFiles, mayWrite, sessionName } from './order.ts'
import type { AgentRecord } from './watch/agent-record.ts'
import { spentBy } from './watch/spending.ts'

/** `told`: what its processes before this one have told. It goes on with their conversation, if there was one. */
export async function startAgent(
  spec: AttemptSpec,
  iteration: IterationFolder,
  cwd: string,
  record: AgentRecord,
): Promise<Supervised> {
  const { agent, model, token, settings } = spec
  const { number, work: dir, promptFile } = iteration
  const environment = attemptEnvironment(spec, cwd, iteration, agent.variables)
  const mcp = mcpServer(spec, dir, environment)
  const { argv, stdin, stderr, env, files } = agent.invoke({
    promptFile,
    model,
    newSession: sessionName(token, number),
    resume: record.resumes,
    ...allowance(spec, record),
    mayWrite: mayWrite(spec),
    hooks: hookFiles(spec, cwd, iteration),
    ...(mcp ? { mcp } : {}),
  })
  // Nothing was ever started in there, or it would have been adopted; what may be there only marks that.
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const { path, text } of files ?? []) await writeFile(path, text, { mode: 0o600 })
  return supervise({
    dir,
    cwd,
    argv,
    stdin: stdin === 'prompt' ? promptFile : null,
    env: { ...environment, ...mcp?.env, ...env },
    token,
    stderr,
    ...bounds(settings),
  })
}

/** What the process may spend. One that goes on with a conversation may count what that has cost before. */
function allowance(spec: AttemptSpec, record: AgentRecord): { budgetUsd?: number } {
  const allowanceUsd = spec.budgets.allowanceUsd()
  if (allowanceUsd === null) return {}
  const countsOn = record.resumes !== null && spec.agent.counters.cost === 'session'
  return { budgetUsd: countsOn ? allowanceUsd : allowanceUsd - spentBy(record, spec) }
}

// How the agent of an attempt gets at the task manager.

/** Null: the settings say that there is none, or nobody is there to use it. */
export function mcpServer(
  { run, task, attempt, token, stateRoot, settings }: AttemptSpec,
  folder: string,
  environment: Readonly<Record<string, string>>,
): McpServer | null {
  if (!settings.mcp || task.work.kind !== 'prompt') return null
  const env = identityVariables({ stateRoot, run, task: task.id, attempt, token })
  return { command: process.execPath, args: [BIN, 'mcp'], env, folder, environment }
}

/** Of this package, with the Node that runs the engine: neither has to be on the agent's PATH. */
const BIN = packageFile('bin/espalier.js')

// What the agent of an attempt may write by now, in a file that its hooks read (agents/claim-hook.ts). In a file, because
// it may become more while the agent runs.

/** `globs` null: nobody insists, so it may write all of its worktree. */
export async function writeMayWrite({ mayWrite }: AttemptFolder, globs: readonly string[] | null): Promise<void> {
  await writeAtomically(mayWrite, JSON.stringify({ enforce: globs !== null, write: globs ?? [] }))
}
