// Agents that are programs of others: those in list.ts, with their code, and those that the settings name.

import { PATIENCE_MS, type Settings } from '../config.ts'
import { ACP_PREFIX, acpAgent } from './acp/agent.ts'
import type { Agent } from './agent.ts'
import { claudeAgent } from './claude/agent.ts'
import { codexAgent } from './codex/agent.ts'
import { geminiAgent } from './gemini/agent.ts'
import { isKnownAgent, KNOWN_AGENTS, type KnownAgent } from './list.ts'
import { opencodeAgent } from './opencode/agent.ts'
import { type Transcript, transcript } from './transcript.ts'

const MAKE_AGENT: Record<KnownAgent, (program: string, args: readonly string[]) => Agent> = {
  claude: claudeAgent,
  codex: codexAgent,
  opencode: opencodeAgent,
  gemini: geminiAgent,
}

export function programNames({ agents }: Pick<Settings, 'agents'>): string[] {
  return [...KNOWN_AGENTS, ...Object.keys(agents.acp).map((acp) => `${ACP_PREFIX}${acp}`)]
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

export function agentNames(settings: Settings): string[] {
  return ['command', ...programNames(settings)]
}
