// Agents by their names: those in list.ts, with their code, and those that the settings name; and the agent of a task. A missing
// one is an error before anything starts.

import { PATIENCE_MS, type Settings } from '../config.ts'
import { type Problem, problem } from '../problem.ts'
import { findProgram, shellProgram } from '../process/program.ts'
import { agentsOf, type Plan, type Task } from '../task.ts'
import { acpAgent } from './acp/agent.ts'
import type { Agent } from './agent.ts'
import { claudeAgent } from './claude/agent.ts'
import { codexAgent } from './codex/agent.ts'
import { commandAgent, shellAgent } from './command/agent.ts'
import { geminiAgent } from './gemini/agent.ts'
import { ACP_PREFIX, isKnownAgent, KNOWN_AGENTS, type KnownAgent } from './list.ts'
import { opencodeAgent } from './opencode/agent.ts'
import { type Transcript, transcript } from './transcript.ts'

const MAKE_AGENT: Record<KnownAgent, (program: string, args: readonly string[]) => Agent> = {
  claude: claudeAgent,
  codex: codexAgent,
  opencode: opencodeAgent,
  gemini: geminiAgent,
}

/** Null: neither known nor named. */
export function programOf(agent: string, { agents }: Pick<Settings, 'agents'>): Settings['agents']['claude'] | null {
  if (isKnownAgent(agent)) return agents[agent]
  const name = agent.startsWith(ACP_PREFIX) ? agent.slice(ACP_PREFIX.length) : ''
  const acp = Object.hasOwn(agents.acp, name) ? agents.acp[name] : undefined
  return acp ? { args: [], model: null, tiers: [], patienceMs: PATIENCE_MS, ...acp } : null
}

/** `name`: one of `programNames`. */
export function makeAgent(name: string, program: string, args: readonly string[] = []): Agent {
  return isKnownAgent(name) ? MAKE_AGENT[name](program, args) : acpAgent(name.slice(ACP_PREFIX.length), program, args)
}

/** Null: the output of that agent is for people as it is. */
export function transcriptOf(name: string): Transcript | null {
  const { parts } = isKnownAgent(name) || name.startsWith(ACP_PREFIX) ? makeAgent(name, name) : { parts: null }
  return parts && transcript(parts)
}

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
    return problem(`no such agent: ${agent} (of ${of}). Known: ${['command', ...KNOWN_AGENTS].join(', ')}, acp:NAME`)
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
