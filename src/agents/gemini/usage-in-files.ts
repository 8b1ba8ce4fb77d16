// Files of a conversation of the Gemini CLI: `tmp/PROJECT/chats/session-TIME-ID.jsonl` in its folder, with the tokens
// of every answer. Its output tells them only at the end: for a process that was ended this is all there is.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addUsage, NO_USAGE, type Usage } from '../../usage.ts'
import type { ProcessOfConversation, UsageInFiles } from '../agent.ts'
import { findFile, isWithin, linesWith } from '../conversation-file.ts'
import type { Environment } from '../facts.ts'
import { withCost } from '../prices.ts'
import { countAt, type Json, objectAt, textAt } from '../read-json-fields.ts'

export async function usageInChat(process: ProcessOfConversation): Promise<UsageInFiles | null> {
  const path = await findChat(homeOf(process.environment), process.session)
  if (path === null) return null
  // An answer is written again when its tools have been used.
  const answers = new Map<string, Usage>()
  let newest: string | null = null
  for (const line of await linesWith('"tokens"', path, CHAT_BYTES)) {
    const [id, tokens, model] = [textAt(line, 'id'), objectAt(line, 'tokens'), textAt(line, 'model')]
    newest = model ?? newest
    if (id === null || !tokens || !isWithin(line, process)) continue
    answers.set(id, model === null ? usageOf(tokens) : withCost(usageOf(tokens), model, process.prices))
  }
  const usage = answers.size === 0 ? null : [...answers.values()].reduce(addUsage, NO_USAGE)
  return { usage, model: newest, isComplete: true }
}

/** It continues only conversations of the folder it is started in. */
export async function isInChats(session: string, environment: Environment): Promise<boolean> {
  const path = await findChat(homeOf(environment), session)
  if (path === null) return false
  const root = await readFile(join(dirname(dirname(path)), '.project_root'), 'utf8').catch(() => '')
  return root.trim() === environment.ESPALIER_WORKTREE
}

function homeOf(environment: Environment): string {
  return join(geminiFolder(environment), 'tmp')
}

/** Projects have folders with names of the program's own. */
async function findChat(home: string, session: string): Promise<string | null> {
  const projects = await readdir(home).catch(() => [])
  const folders = projects.slice(0, MAX_PROJECTS).map((project) => join(home, project, 'chats'))
  return findFile(folders, `-${session.slice(0, 8)}.jsonl`)
}

function usageOf(tokens: Json): Usage {
  const [input, said, cached] = [countAt(tokens, 'input'), countAt(tokens, 'output'), countAt(tokens, 'cached')]
  return geminiUsage(input, said, cached, countAt(tokens, 'thoughts'))
}

/** Gemini counts tokens from the cache as part of the input, and thinking apart from the output; it is paid for as output. */
export function geminiUsage(input: number, said: number, cached: number, thought: number): Usage {
  const read = { inputTokens: Math.max(0, input - cached), cacheReadTokens: cached }
  return { ...NO_USAGE, ...read, outputTokens: said + thought, reasoningTokens: thought }
}

const MAX_PROJECTS = 1_000
/** The newest part of a long conversation: earlier answers are not counted. */
const CHAT_BYTES = 16_000_000

export function geminiFolder({ GEMINI_CLI_HOME, HOME }: Environment): string {
  return join(GEMINI_CLI_HOME || (HOME ?? '/'), GEMINI_FOLDER)
}

export const GEMINI_FOLDER = '.gemini'
