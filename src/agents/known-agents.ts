// The agents there are. Adding one takes a file like claude.ts, a line here and a recorded transcript.
import type { Agent } from './agent.ts'
import { claudeAgent } from './claude.ts'
import { codexAgent } from './codex.ts'
import { geminiAgent } from './gemini.ts'
import { opencodeAgent } from './opencode.ts'

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
