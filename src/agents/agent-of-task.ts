// The agent of a task. Asked for every task and fallback before anything starts: a missing one is an error then.

import { PATIENCE_MS, type Settings } from '../config.ts'
import { type Problem, problem } from '../problem.ts'
import { findProgram, shellProgram } from '../process/program.ts'
import { agentsOf, type Plan, type Task } from '../task.ts'
import { ACP_PREFIX } from './acp/agent.ts'
import type { Agent } from './agent.ts'
import { commandAgent, shellAgent } from './command/agent.ts'
import { makeAgent, programOf } from './known-agents.ts'
import { KNOWN_AGENTS } from './list.ts'

const AGENT_NAMES: readonly string[] = ['command', ...KNOWN_AGENTS]

type AgentSettings = Pick<Settings, 'agents' | 'command'>

/** `chosen`: one of the task's agents; default: the preferred one. */
export function agentOf(task: Task, settings: AgentSettings, chosen?: string): Agent {
  if (task.work.kind === 'command') return shellAgent(task.work.command)
  const agent = chosen ?? task.work.agent
  const program = programOf(agent, settings)
  if (program) return makeAgent(agent, program.program, program.args)
  if (agent === 'command' && settings.command !== null) return commandAgent(settings.command)
  throw new Error(`task ${task.id} has no agent: this is checked before a run starts`)
}

/** Name of a model that lets the engine choose one of the agent's tiers. */
export const AUTO = 'auto'

/** The model of an agent; null: the program's own choice. A task's model is meant for its preferred agent. */
export function modelOf(task: Task, settings: Settings, chosen?: string): string | null {
  if (task.work.kind === 'command') return null
  const agent = chosen ?? task.work.agent
  const model = agent === task.work.agent ? task.work.model : null
  return model ?? programOf(agent, settings)?.model ?? null
}

/** How long the agent may wait for its provider by itself. */
export function patienceOf(agent: string | null, settings: AgentSettings): number {
  return programOf(agent ?? '', settings)?.patienceMs ?? PATIENCE_MS
}

function unknownAcp(agent: string, of: string, { agents: { acp } }: Settings): string {
  const names = Object.keys(acp).map((name) => ACP_PREFIX + name)
  const known = names.length > 0 ? `named there: ${names.join(', ')}` : 'none is named there yet'
  return `no such agent: ${agent} (of ${of}). An ACP agent is named under \`agents.acp\` in .espalier/config.yaml, such as \`goose: { program: goose, args: [acp] }\` for \`agent: acp:goose\`; ${known}`
}

export function checkAgents(plan: Plan, settings: Settings, environment: NodeJS.ProcessEnv): Problem[] {
  const tasks = new Map<string, string[]>()
  // A command on the PATH of a task itself is looked for when the task starts.
  const isMetLater = ({ env }: Task, agent: string) =>
    agent === 'command' && settings.command !== null && env.PATH !== undefined
  for (const task of plan.tasks)
    for (const agent of agentsOf(task.work))
      if (!isMetLater(task, agent)) tasks.set(agent, [...(tasks.get(agent)?.slice(0, 2) ?? []), task.id])
  return [...tasks].flatMap(([agent, ids]) => checkAgent(agent, ids, settings, environment) ?? [])
}

function checkAgent(
  agent: string,
  tasks: string[],
  settings: Settings,
  environment: NodeJS.ProcessEnv,
): Problem | null {
  const of = `${tasks.slice(0, 2).join(', ')}${tasks.length > 2 ? ', …' : ''}`
  const known = programOf(agent, settings)
  if (known) {
    const { program } = known
    if (findProgram(program, environment)) return null
    const message = `the agent ${agent} (of ${of}) cannot be started: there is no program \`${program}\` on the PATH. Install it, or say where it is with \`agents.${agent.replace(':', '.')}.program\` in .espalier/config.yaml; \`espalier doctor\` lists the agents that are here`
    return problem(message)
  }
  if (agent === 'acp' || agent.startsWith(ACP_PREFIX)) return problem(unknownAcp(agent, of, settings))
  if (agent !== 'command')
    return problem(`no such agent: ${agent} (of ${of}). Known: ${AGENT_NAMES.join(', ')}, acp:NAME`)
  if (settings.command !== null) return checkCommand(settings.command, of, environment)
  const who = tasks.length === 1 ? 'a task has a prompt' : 'tasks have a prompt'
  const written = 'in the plan or in .espalier/config.yaml it is `agent:` and `command:`'
  return problem(`${who} (${of}) but no agent to give it to: ${WAYS_TO_NAME_AN_AGENT}; ${written}`)
}

export const WAYS_TO_NAME_AN_AGENT = `name one with \`--agent claude\` (or ${KNOWN_AGENTS.slice(1).join(', ')}), or any program with \`--command 'my-agent --flag'\``

function checkCommand(command: string, of: string, environment: NodeJS.ProcessEnv): Problem | null {
  const program = shellProgram(command)
  if (program === null || findProgram(program, environment)) return null
  const message = `the command that is the agent (of ${of}) cannot be started: there is no program \`${program}\` on the PATH. Install it, or name it by its whole path`
  return problem(message)
}
