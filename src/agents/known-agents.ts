// The agents there are. Adding one takes a file like agents/claude/agent.ts, a line here and a recorded transcript.

import type { Settings } from '../config.ts'
import { ACP_PREFIX } from './acp/agent.ts'
import { acpParts } from './acp/transcript.ts'
import type { Agent } from './agent.ts'
import { claudeAgent } from './claude/agent.ts'
import { claudeParts } from './claude/transcript.ts'
import { codexAgent } from './codex/agent.ts'
import { codexParts } from './codex/transcript.ts'
import { geminiAgent } from './gemini/agent.ts'
import { geminiParts } from './gemini/transcript.ts'
import { opencodeAgent } from './opencode/agent.ts'
import { opencodeParts } from './opencode/transcript.ts'
import { type PartsOf, type Transcript, transcript } from './transcript.ts'

/** Those that are programs of others, by the name a plan uses. */
export const KNOWN_AGENTS: Record<KnownAgent, (program: string, args: readonly string[]) => Agent> = {
  claude: claudeAgent,
  codex: codexAgent,
  opencode: opencodeAgent,
  gemini: geminiAgent,
}

export type KnownAgent = 'claude' | 'codex' | 'opencode' | 'gemini'

export function isKnownAgent(name: string): name is KnownAgent {
  return Object.hasOwn(KNOWN_AGENTS, name)
}

/** Null where the output of that agent is for people as it is. */
export function transcriptOf(agent: string): Transcript | null {
  const partsOf = agent.startsWith(ACP_PREFIX) ? acpParts : PARTS.get(agent)
  return partsOf ? transcript(partsOf) : null
}

const PARTS: ReadonlyMap<string, PartsOf> = new Map([
  ['claude', claudeParts],
  ['codex', codexParts],
  ['opencode', opencodeParts],
  ['gemini', geminiParts],
])

export function agentNames({ agents }: Settings): string[] {
  return ['command', ...Object.keys(KNOWN_AGENTS), ...Object.keys(agents.acp).map((acp) => `${ACP_PREFIX}${acp}`)]
}
