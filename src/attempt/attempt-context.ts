// An order together with the machine that executes it, and the environment of the attempt's processes.
import { join } from 'node:path'
import type { Agent, HookFiles } from '../agents/agent.ts'
import { agentOf } from '../agents/agents-by-name.ts'
import type { EngineRepository } from '../git/engine/engine-repository.ts'
import { lease, type Slot } from '../git/slots/slot.ts'
import { keptText, secretValues } from '../process/secrets.ts'
import { HEARTBEAT } from '../process/supervise/read-output.ts'
import { withGranted } from '../scheduler/claims/gained.ts'
import type { Claims } from '../task.ts'
import { type AttemptFolder, attemptFolder, type IterationFolder, type StateFolder } from '../workspace/state-folder.ts'
import type { AttemptBudget, AttemptHost, AttemptOrder } from './attempt-order.ts'
import { stepEnvironment } from './worktree-commands.ts'

export type Machine = {
  engine: EngineRepository
  folder: StateFolder
  environment: NodeJS.ProcessEnv
  /** Untracked files of the user's checkout that every worktree gets. */
  include: readonly string[]
}

export type AttemptContext = {
  readonly order: AttemptOrder
  readonly host: AttemptHost
  readonly machine: Machine
  readonly slot: Slot
  readonly folder: AttemptFolder
  readonly agent: Agent
  /** Values that must not get into anything that is kept of the attempt. */
  readonly secrets: readonly string[]
  /** Claims of the plan, and those granted to the agent since. */
  claims: Claims
  budget: AttemptBudget
}

export function attemptContext(machine: Machine, order: AttemptOrder, host: AttemptHost): AttemptContext {
  const { run, task, attempt, slot, settings, agent, granted, budget } = order
  const secrets = secretValues({ ...machine.environment, ...task.env })
  return {
    order,
    host: {
      report: (fact) => host.report(fact),
      progress: (message) => host.progress(keptText(message, secrets)),
      notes: () => host.notes(),
    },
    machine,
    slot: lease(machine.engine, 'attempt', slot),
    folder: attemptFolder(machine.folder, run, task.id, attempt),
    agent: agentOf(task, settings, agent ?? undefined),
    secrets,
    claims: withGranted(task.claims, granted),
    budget,
  }
}

/** `variables`: those of `Agent.variables`. Only the agent's own process gets them: among them is its key. */
export function attemptEnvironment(
  { order, machine, slot, folder }: AttemptContext,
  { number, promptFile }: IterationFolder,
  variables: readonly string[] = [],
): Record<string, string> {
  const { run, task, attempt, settings, token } = order
  const place = { slot, token, run, settings, environment: machine.environment }
  return stepEnvironment(place, variables, {
    ...task.env,
    ...resourceVariables(order.resources),
    ESPALIER_TASK: task.id,
    ESPALIER_ATTEMPT: String(attempt),
    ESPALIER_LOG_DIR: folder.files,
    ...(task.work.kind === 'prompt' ? { ESPALIER_PROMPT_FILE: promptFile, ESPALIER_ITERATION: String(number) } : {}),
    ESPALIER_SLOT: String(slot.number),
    ...searchVariables(order, folder),
  })
}

function resourceVariables(resources: AttemptOrder['resources']): Record<string, string> {
  return Object.fromEntries(
    resources.flatMap(({ name, numbers, count, env }) => {
      const width = String(count - 1).length
      const filled = (template: string) =>
        numbers.map((number) => template.replaceAll('{index}', String(number).padStart(width, '0'))).join(',')
      const own = Object.entries(env ?? {}).map(([variable, template]) => [variable, filled(template)])
      return [[`ESPALIER_${name.toUpperCase().replaceAll('-', '_')}`, numbers.join(',')], ...own]
    }),
  )
}

/** The file of the idea, outside of the candidate's tree, or the folder for proposed ones. */
function searchVariables({ search }: AttemptOrder, folder: AttemptFolder): Record<string, string> {
  switch (search?.role) {
    case 'step':
      return { ESPALIER_EVAL: search.eval, ESPALIER_IDEA: folder.idea(search.idea.path) }
    case 'propose':
      return { ESPALIER_NODE: search.node, ESPALIER_IDEAS: folder.ideas }
    case 'judge':
      return { ESPALIER_EVAL: search.eval }
    default:
      return {}
  }
}

/** Files beside the output of the process; `mayWrite` is the same for all processes of the attempt. */
export function hookFiles(context: AttemptContext, { work, sessionEnd }: IterationFolder): HookFiles {
  return {
    settings: join(work, 'hooks.json'),
    mayWrite: mayWrite(context) === null ? null : context.folder.mayWrite,
    worktree: context.slot.path,
    heartbeat: join(work, HEARTBEAT),
    sessionEnd,
  }
}

/** Null: claims are not enforced, or the task has declared none. */
export function mayWrite({ order, claims }: AttemptContext): readonly string[] | null {
  const isFree = order.settings.claims !== 'enforce' || claims.write.length + claims.read.length === 0
  return isFree ? null : claims.write
}
