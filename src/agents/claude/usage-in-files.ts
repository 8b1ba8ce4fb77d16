// Files of a conversation of Claude Code: `projects/WORKTREE/ID.jsonl` in its folder, and beside it
// `ID/subagents/*.jsonl`, with the tokens of every answer. The output has only the beginning of an answer, and not all
// answers of a subagent: for a process that was ended the files have more.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { addUsage, NO_USAGE, type Usage, usageSince } from '../../usage.ts'
import type { ProcessOfConversation, UsageInFiles } from '../agent.ts'
import { isWithin, linesWith } from '../conversation-file.ts'
import type { Environment } from '../facts.ts'
import { countAt, type Json, objectAt, textAt } from '../read-json-fields.ts'

export async function usageInProject(process: ProcessOfConversation): Promise<UsageInFiles | null> {
  const { session, since, newestAnswer, environment } = process
  const transcript = await findTranscript(session, environment)
  if (transcript === null) return null
  // One answer comes in several lines, one for each of its parts.
  const answers = new Map<string, Usage>()
  let [model, isComplete]: [string | null, boolean] = [null, newestAnswer === null]
  const subagents = await subagentFiles(join(dirname(transcript), session, 'subagents'), since)
  for (const path of [transcript, ...subagents])
    for (const line of await linesWith('"usage"', path, path === transcript ? PROJECT_BYTES : SUBAGENT_BYTES)) {
      const message = line.type === 'assistant' ? objectAt(line, 'message') : null
      if (!message || !isWithin(line, process)) continue
      const [id, used] = [textAt(message, 'id') ?? '', textAt(message, 'model')]
      answers.set(id, claudeUsage(message))
      if (path === transcript && used !== SYNTHETIC) model = used ?? model
      if (id === newestAnswer && textAt(message, 'stop_reason') !== null) isComplete = true
    }
  return { usage: answers.size === 0 ? null : [...answers.values()].reduce(addUsage, NO_USAGE), model, isComplete }
}

/** Its own name for a missing answer of a model. */
const SYNTHETIC = '<synthetic>'

/** In the folder of its worktree or, if it was begun in another one, of that. */
export async function findTranscript(session: string, environment: Environment): Promise<string | null> {
  if (!/^[\w-]+$/.test(session)) return null
  const home = environment.CLAUDE_CONFIG_DIR || join(environment.HOME ?? '/', '.claude')
  const projects = join(home, 'projects')
  const own = (environment.ESPALIER_WORKTREE ?? '').replaceAll(/[^a-zA-Z0-9]/g, '-')
  const others = await readdir(projects).catch(() => [])
  for (const project of [own, ...others.slice(0, MAX_PROJECTS)]) {
    const path = join(projects, project, `${session}.jsonl`)
    if (await stat(path).catch(() => null)) return path
  }
  return null
}

async function subagentFiles(folder: string, since: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const found: string[] = []
  for (const name of names.filter((one) => one.endsWith('.jsonl')).slice(0, MAX_FILES)) {
    const path = join(folder, name)
    const file = await stat(path).catch(() => null)
    if (file && file.mtimeMs >= since && found.length < MAX_SUBAGENTS) found.push(path)
  }
  return found
}

/** The newest part of a long conversation: earlier answers are not counted. */
const PROJECT_BYTES = 16_000_000
const SUBAGENT_BYTES = 2_000_000
/** Most subagents of one process, and most files of a conversation: more are not counted. */
const MAX_SUBAGENTS = 100
const MAX_FILES = 1_000
const MAX_PROJECTS = 1_000

/** Tokens in the words of Claude Code: the same in an answer, in a result and in its files. */
export function claudeUsage(told: Json): Usage {
  return {
    inputTokens: countAt(told, 'usage', 'input_tokens'),
    outputTokens: countAt(told, 'usage', 'output_tokens'),
    cacheReadTokens: countAt(told, 'usage', 'cache_read_input_tokens'),
    cacheWriteTokens: countAt(told, 'usage', 'cache_creation_input_tokens'),
    reasoningTokens: countAt(told, 'usage', 'output_tokens_details', 'thinking_tokens'),
    costUsd: countAt(told, 'total_cost_usd'),
  }
}

/**
 * Usage of the conversation so far, from a `result` line. Its `usage` is of the main conversation since the result
 * before; only `modelUsage` includes subagents and goes on with the conversation, as the cost does. Without it `usage`
 * counts, which may be too little for a conversation that was resumed.
 */
export function conversationUsage(result: Json): Usage {
  const models = Object.values(objectAt(result, 'modelUsage') ?? {})
  if (models.length === 0) return claudeUsage(result)
  const tokens = models.map(modelTokens).reduce(addUsage, NO_USAGE)
  return { ...tokens, costUsd: countAt(result, 'total_cost_usd') }
}

function modelTokens(told: unknown): Usage {
  return {
    inputTokens: countAt(told, 'inputTokens'),
    outputTokens: countAt(told, 'outputTokens'),
    cacheReadTokens: countAt(told, 'cacheReadInputTokens'),
    cacheWriteTokens: countAt(told, 'cacheCreationInputTokens'),
    reasoningTokens: countAt(told, 'thinkingTokens'),
    costUsd: 0,
  }
}

/**
 * Usage of all answers of a process, each counted once: an answer comes in several lines, one for each of its parts,
 * between those of subagents that work at the same time.
 */
export class AnswersUsage {
  readonly #newest = new Map<string, Usage>()
  total: Usage = NO_USAGE

  /** Returns whether the answer is new. One without a name is always new. */
  count(answer: string | null, usage: Usage): boolean {
    const earlier = answer === null ? undefined : this.#newest.get(answer)
    if (answer !== null) this.#newest.set(answer, usage)
    if (!isDeepStrictEqual(earlier, usage)) this.total = addUsage(usageSince(this.total, earlier ?? NO_USAGE), usage)
    const [oldest = ''] = this.#newest.keys()
    if (this.#newest.size > MAX_ANSWERS) this.#newest.delete(oldest)
    return !earlier
  }
}

/** More than there are subagents at the same time: only answers under way come again. */
const MAX_ANSWERS = 64
