// Problems of a plan and settings: models, agents, ports, machines. Pure except for a look for programs.

import { AUTO, agentOf, checkAgents, modelOf } from '../../agents/agents-by-name.ts'
import type { CostReport } from '../../agents/facts.ts'
import { givePrice, priceOf } from '../../agents/prices.ts'
import type { Machine } from '../../attempt/attempt-context.ts'
import type { AttemptRunner } from '../../attempt/attempt-order.ts'
import type { Settings } from '../../config.ts'
import { isKnownModel, modelsOf, tierNames, tiersOf } from '../../learning/models-of-agent.ts'
import { type Problem, problem } from '../../problem.ts'
import type { RunKind } from '../../status.ts'
import { isPostgresUrl } from '../../store/place.ts'
import { agentsOf, type Plan, type Task } from '../../task.ts'
import { count } from '../../text/figures.ts'
import type { PlanFileTasks } from '../../workloads/formats/status/plan-file-tasks.ts'
import type { LockedWorkspace } from '../../workspace/lock.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { PlanLimits } from './limits.ts'

export type OpenRun = {
  plan: Plan
  /** Default: a plan. */
  kind?: RunKind | undefined
  settings: Settings
  /** The commit to start from; overrules the plan's. */
  base?: string | undefined
  /** Starts from the checkout as it is, uncommitted changes and new files included. */
  dirty?: boolean | undefined
  planFile?: string | undefined
  /** Tasks and statuses in the plan file, if their status is to be written back. */
  origin?: PlanFileTasks | null | undefined
  /** The environment that agents see a part of; default: this process's. */
  environment?: NodeJS.ProcessEnv | undefined
  /** The agent that a flag or the environment gave every prompt. It is applied again when the plan is read anew. */
  onlyAgent?: string | null | undefined
  /** Limits in the plan file itself: `resume` finds changes by them. */
  planLimits?: PlanLimits | undefined
  runner?: MakeRunner | undefined
}

/** `storeUrl`: also the place of assignments for workers. */
export type MakeRunner = (machine: Machine, storeUrl: string) => AttemptRunner

export function checkPlan(plan: Plan, settings: Settings, environment = process.env): Problem[] {
  return [...checkMeans(plan, settings, environment), ...checkModels(plan, settings)]
}

/** Agents and ports: problems that may be fixed before the run without a change of the plan. */
export function checkMeans(plan: Plan, settings: Settings, environment = process.env): Problem[] {
  // If only workers execute, the programs of this machine do not matter.
  const agents = settings.workersOnly ? [] : checkAgents(plan, settings, environment)
  return [...agents, ...checkPorts(settings)]
}

/** Without Postgres there are no workers: tasks that this machine cannot do would wait for ever. */
export function checkMachines({ tasks }: Plan, { labels, workersOnly }: Settings, { folder }: Workspace): Problem[] {
  if (isPostgresUrl(folder.database)) return []
  const how = 'workers need a store on Postgres (`--store postgres://…`)'
  if (workersOnly) return [problem(`nothing would execute the tasks: ${how}`)]
  const lacking = tasks.find((task) => task.labels?.some((label) => !labels.includes(label)))
  if (!lacking) return []
  const missing = lacking.labels?.filter((label) => !labels.includes(label)).join(', ')
  return [
    problem(
      `${lacking.id} asks for a machine with the label ${missing}, which this one does not have: write it under \`labels\` in .espalier/config.yaml if it does; ${how}`,
    ),
  ]
}

export function checkSubmodules(isThere: boolean, { submodules }: Settings): Problem[] {
  return isThere && submodules !== 'allow' ? [problem(SUBMODULES, { severity: 'warning' })] : []
}

const SUBMODULES =
  'the repository has submodules: worktrees have empty folders for them, unless `setup` fills these, and a task that changes one fails. With `submodules: allow` in the settings, commits made inside them land'

const PORTS = 65_536

function checkPorts({ ports, maxConcurrency, landing }: Settings): Problem[] {
  // Verifications have ports of their own, behind those of the slots.
  const verifies = landing.verify.length > 0
  const places = maxConcurrency + (verifies ? landing.window : 0)
  const end = ports.first + places * ports.perSlot
  if (end <= PORTS) return []
  const message = `there are not enough ports: ${places} ${verifies ? 'slots and verifications' : 'slots'} of ${ports.perSlot} ports from ${ports.first} on would end at ${end - 1}, and the last port is ${PORTS - 1}. Lower \`ports.first\`, \`ports.perSlot\` or \`maxConcurrency\``
  return [problem(message)]
}

// An unknown model is an error before anything starts: its agent would fail once for every task.

export function checkModels(plan: Plan, settings: Settings): Problem[] {
  const asked = new Map<string, { agent: string; model: string; task: string }>()
  for (const task of plan.tasks)
    for (const agent of agentsOf(task.work)) {
      const model = modelOf(task, settings, agent)
      const key = JSON.stringify([agent, model])
      if (model !== null && !asked.has(key)) asked.set(key, { agent, model, task: task.id })
    }
  return [...asked.values()].flatMap(({ agent, model, task }) =>
    model === AUTO ? checkAuto(agent, task, settings) : checkName(agent, model, task, settings),
  )
}

function checkAuto(agent: string, task: string, settings: Settings): Problem[] {
  const { tiers, unpriced } = tiersOf(agent, settings)
  const place = `agents.${agent.replace(':', '.')}.tiers`
  if (unpriced.length > 0) {
    const names = unpriced.join(', ')
    const message = `\`model: auto\` (of ${task}) weighs models by their price, and nobody knows that of ${names}: say it under \`prices\` in .espalier/config.yaml, or leave it out of \`${place}\``
    return [problem(message)]
  }
  if (tiers.length > 0) return []
  const message =
    agent === 'command'
      ? 'is for agents that have models; `command` has none'
      : `has no models of ${agent} to choose from: list them under \`${place}\` in .espalier/config.yaml, the cheapest first`
  return [problem(`\`model: auto\` (of ${task}) ${message}`)]
}

function checkName(agent: string, model: string, task: string, settings: Settings): Problem[] {
  if (isKnownModel(agent, model, settings)) return []
  const { short = [], like } = modelsOf(agent) ?? {}
  const known = [...tierNames(agent, settings), ...short, like].join(', ')
  const message = `no model \`${model}\` (of ${task}) is known for ${agent}; known: ${known}. If it is right, list it under \`agents.${agent}.tiers\` in .espalier/config.yaml`
  return [problem(message)]
}

// A budget can be kept only if costs are known.

/**
 * Warnings about tasks under a budget whose agent reports no cost, or only at its end, and whose model has no price; errors if
 * `strictBudget` is set.
 */
export function unpriced(plan: Plan, settings: Settings): Problem[] {
  const epics = new Set(plan.epics.flatMap(({ id, budgetUsd }) => (budgetUsd === undefined ? [] : [id])))
  const isUnderBudget = ({ budgetUsd, epic }: Task) =>
    settings.budgetUsd !== null || budgetUsd !== undefined || (epic !== null && epics.has(epic))
  const found = plan.tasks.filter(isUnderBudget).flatMap((task) =>
    agentsOf(task.work)
      .map((agent) => ({ task, agent, model: modelOf(task, settings, agent) }))
      .filter(({ agent, model }) => isUnpriced(task, settings, agent, model)),
  )
  const severity = settings.strictBudget ? 'error' : 'warning'
  return [...Map.groupBy(found, ({ agent, model }) => `${agent} ${model}`).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ task, agent, model }) => {
      const named = alike.slice(0, NAMED).map((one) => one.task.id)
      const of = [...named, ...(alike.length > NAMED ? ['…'] : [])].join(', ')
      return problem(`${warning(agent, model, agentOf(task, settings, agent).cost)} (of ${of})`, { severity })
    }),
  )
}

function isUnpriced(task: Task, settings: Settings, agent: string, model: string | null): boolean {
  // A missing agent is reported elsewhere.
  if (agent === 'command' && settings.command === null) return false
  const { cost } = agentOf(task, settings, agent)
  if (cost === 'perhaps-unknown') return true
  if (cost === 'reported' || cost === 'reported-or-by-tokens') return false
  // Such an agent reports its model as soon as it is started: see attempt/watch/agent-usage.ts.
  if (model === null) return cost !== 'reported-at-end'
  // `model: auto` chooses among models that all have a price.
  return model !== AUTO && priceOf(model, settings.prices) === null
}

function warning(agent: string, model: string | null, cost: CostReport): string {
  const but = `there is a budget, but ${agent}`
  if (cost === 'perhaps-unknown')
    return `${but} may not tell what it uses: what it does not tell counts as nothing, and every sum says \`+ unknown\``
  const atEnd = cost === 'reported-at-end'
  const costs = `${but} ${atEnd ? 'tells what it costs only when it ends' : 'does not tell what it costs'}`
  if (model === null)
    return `${costs}, and which model it uses is its own choice: what it spends may count as nothing. Name a model with \`model:\``
  if (modelsOf(agent)?.short.includes(model))
    return `${costs}, and which model ${model} means changes: if that one has no price, what it spends counts ${atEnd ? 'only then' : 'as nothing'}. Name the model in full with \`model:\``
  return `${costs}, and no price of the model ${model} is known: what it spends counts ${atEnd ? 'only then, and as nothing where it is ended before' : 'as nothing'}. ${givePrice(model)}`
}

const NAMED = 2

/** Agents of a killed run have their work only in worktrees that this run would reset (I10). */
export async function othersAtWork({ store }: LockedWorkspace, id: string | null): Promise<string | null> {
  const other = (await store.runs()).find((run) => run.resumable && run.counts.running > 0 && run.run !== id)
  if (!other) return null
  const tasks = count(other.counts.running, 'task')
  return `no engine works on run ${other.run}, which was left while ${tasks} ran, and that work is not safe yet: \`espalier resume ${other.run}\` continues it, \`espalier cancel --run ${other.run}\` keeps what there is and ends it`
}
