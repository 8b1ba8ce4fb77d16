// Agents that are programs of others, by the name a plan uses.
import { claude } from './claude/facts.ts'
import { codex } from './codex/facts.ts'
import type { AgentFacts } from './facts.ts'
import { gemini } from './gemini/facts.ts'
import { opencode } from './opencode/facts.ts'

export const AGENTS = { claude, codex, opencode, gemini } satisfies Record<string, AgentFacts>

export type KnownAgent = keyof typeof AGENTS

export const KNOWN_AGENTS = Object.keys(AGENTS) as KnownAgent[]

export function isKnownAgent(name: string): name is KnownAgent {
  return Object.hasOwn(AGENTS, name)
}

/** `agent: acp:goose` */
export const ACP_PREFIX = 'acp:'

type NamesAcp = { agents: { acp: object } }

export function programNames({ agents }: NamesAcp): string[] {
  return [...KNOWN_AGENTS, ...Object.keys(agents.acp).map((acp) => ACP_PREFIX + acp)]
}

/** The names that a plan can use. */
export function agentNames(settings: NamesAcp): string[] {
  return ['command', ...programNames(settings)]
}

export function forEachAgent<T>(value: (name: KnownAgent, facts: AgentFacts) => T): Record<KnownAgent, T> {
  return Object.fromEntries(KNOWN_AGENTS.map((name) => [name, value(name, AGENTS[name])])) as Record<KnownAgent, T>
}
