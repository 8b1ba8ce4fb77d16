import { ACP_PREFIX } from './acp.ts'
import { acpParts } from './acp-transcript.ts'
import { claudeParts } from './claude-transcript.ts'
import { codexParts } from './codex-transcript.ts'
import { geminiParts } from './gemini-transcript.ts'
import { opencodeParts } from './opencode-transcript.ts'
import { type PartsOf, type Transcript, transcript } from './transcript.ts'

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
