// What an ACP agent used, from the files that the program behind it keeps: the protocol does not make it tell. Which program
// that is follows from whose files know the conversation.
import type { Usage } from '../../usage.ts'
import type { Environment } from '../agent.ts'
import { modelInProject, usageInProject } from '../claude/conversation.ts'
import { modelInRollout, usageInRollout } from '../codex/conversation.ts'
import { modelInChat, usageInChat } from '../gemini/conversation.ts'
import { usageInDatabase } from '../opencode/conversation.ts'
import type { Prices } from '../prices.ts'

/** Of the process that was started at `since`. */
export async function usageInFiles(
  session: string,
  since: number,
  environment: Environment,
  prices?: Prices,
): Promise<Usage | null> {
  for (const find of [usageInDatabase, usageInProject, usageInChat, usageInRollout]) {
    const found = await find(session, since, environment, prices)
    if (found) return found
  }
  return null
}

export async function modelInFiles(session: string, environment: Environment): Promise<string | null> {
  for (const find of [modelInProject, modelInChat, modelInRollout]) {
    const found = await find(session, environment)
    if (found) return found
  }
  return null
}
