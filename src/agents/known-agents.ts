// The code of the agents in list.ts.

import type { Settings } from '../config.ts'
import { ACP_PREFIX, acpAgent } from './acp/agent.ts'
import type { Agent } from './agent.ts'
import { claudeAgent } from './claude/agent.ts'
import { codexAgent } from './codex/agent.ts'
import { geminiAgent } from './gemini/agent.ts'
import { isKnownAgent, KNOWN_AGENTS, type KnownAgent } from './list.ts'
import { opencodeAgent } from './opencode/agent.ts'
import { type Transcript, transcript } from './transcript.ts'

export const MAKE_AGENT: Record<KnownAgent, (program?: string, args?: readonly string[]) => Agent> = {
  claude: claudeAgent,
  codex: codexAgent,
  opencode: opencodeAgent,
  gemini: geminiAgent,
}

/** Null where the output of that agent is for people as it is. */
export function transcriptOf(name: string): Transcript | null {
  const agent = isKnownAgent(name) ? MAKE_AGENT[name]() : name.startsWith(ACP_PREFIX) ? acpAgent(name, name) : null
  return agent?.parts ? transcript(agent.parts) : null
}

export function agentNames({ agents }: Settings): string[] {
  return ['command', ...KNOWN_AGENTS, ...Object.keys(agents.acp).map((acp) => `${ACP_PREFIX}${acp}`)]
}
