// Starting an agent: its arguments, its files, what it may see and spend.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { type Supervised, supervise } from '../process/supervise.ts'
import { type AttemptSpec, attemptEnvironment, bounds, hookFiles, mayWrite, sessionName } from './attempt-spec.ts'
import { mcpServer } from './mcp-of-attempt.ts'
import { costOf } from './spending-watch.ts'
import type { IterationFolder } from './state-folder.ts'
import type { Told } from './told.ts'

/** `told`: what its processes before this one have told. It goes on with their conversation, if there was one. */
export async function startAgent(
  spec: AttemptSpec,
  iteration: IterationFolder,
  cwd: string,
  told: Told,
): Promise<Supervised> {
  const { agent, model, token, settings } = spec
  const { number, work: dir, promptFile } = iteration
  const environment = attemptEnvironment(spec, cwd, iteration, agent.variables)
  const mcp = mcpServer(spec, dir, environment)
  const { argv, stdin, stderr, env, files } = agent.invoke({
    promptFile,
    model,
    newSession: sessionName(token, number),
    resume: told.resumes,
    ...allowance(spec, told),
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
function allowance(spec: AttemptSpec, told: Told): { budgetUsd?: number } {
  const allowanceUsd = spec.budgets.allowanceUsd()
  if (allowanceUsd === null) return {}
  const countsOn = told.resumes !== null && spec.agent.counters.cost === 'session'
  return { budgetUsd: countsOn ? allowanceUsd : allowanceUsd - costOf(told, spec) }
}
