// What the Gemini CLI writes down of a conversation: `tmp/PROJECT/chats/session-TIME-ID.jsonl` in its folder, with the
// tokens of every answer of its model. Its output tells them only at the end: of a process that was ended this is all
// there is.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lastLines } from '../../files/ends-of-file.ts'
import { addUsage, NO_USAGE, type Usage } from '../../usage.ts'
import type { Environment } from '../agent.ts'
import { countAt, type Json, jsonLine, objectAt, textAt } from '../json-line.ts'
import { type Prices, withCost } from '../prices.ts'
import { geminiFolder } from './home.ts'

/** Of the answers since `since`: those before it are of an earlier process. Null: it has written nothing. */
export async function usageInChat(
  session: string,
  since: number,
  environment: Environment,
  prices?: Prices,
): Promise<Usage | null> {
  const path = await findChat(homeOf(environment), session)
  const lines = path === null ? [] : await lastLines(path, CHAT_BYTES)
  // An answer is written again when its tools have been used.
  const answers = new Map<string, Usage>()
  for (const text of lines) {
    const line = text.includes('"tokens"') ? jsonLine(text) : null
    const [id, tokens] = [textAt(line, 'id'), objectAt(line, 'tokens')]
    if (id === null || !tokens || Date.parse(textAt(line, 'timestamp') ?? '') < since) continue
    const model = textAt(line, 'model')
    answers.set(id, model === null ? usageOf(tokens) : withCost(usageOf(tokens), model, prices))
  }
  return answers.size === 0 ? null : [...answers.values()].reduce(addUsage, NO_USAGE)
}

/** The newest that has answered. */
export async function modelInChat(session: string, environment: Environment): Promise<string | null> {
  const path = await findChat(homeOf(environment), session)
  const lines = path === null ? [] : await lastLines(path, MODEL_BYTES)
  for (const text of lines.reverse()) {
    const model = text.includes('"tokens"') ? textAt(jsonLine(text), 'model') : null
    if (model) return model
  }
  return null
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

/** Its folders have names of its own for the projects it was used in. */
async function findChat(home: string, session: string): Promise<string | null> {
  const end = `-${session.slice(0, 8)}.jsonl`
  const projects = await readdir(home).catch(() => [])
  for (const project of projects.slice(0, MAX_PROJECTS)) {
    const names = await readdir(join(home, project, 'chats')).catch(() => [])
    const name = names.find((one) => one.endsWith(end))
    if (name !== undefined) return join(home, project, 'chats', name)
  }
  return null
}

function usageOf(tokens: Json): Usage {
  const [cached, thought] = [countAt(tokens, 'cached'), countAt(tokens, 'thoughts')]
  return {
    ...NO_USAGE,
    inputTokens: Math.max(0, countAt(tokens, 'input') - cached),
    outputTokens: countAt(tokens, 'output') + thought,
    cacheReadTokens: cached,
    reasoningTokens: thought,
  }
}

const MODEL_BYTES = 1_000_000
const MAX_PROJECTS = 1_000
/** The newest part of a long conversation: what lies before it is not counted. */
const CHAT_BYTES = 16_000_000
