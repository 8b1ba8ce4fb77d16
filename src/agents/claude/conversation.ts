// What Claude Code writes down of a conversation: `projects/WORKTREE/ID.jsonl` in its folder, and beside it
// `ID/subagents/*.jsonl`, with the tokens of every answer of its model. Of an answer its output tells only how it began,
// and of a subagent not all answers: of a process that was ended this is more.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addUsage, NO_USAGE, USAGE_COUNTS, type Usage, usageSince } from '../../usage.ts'
import type { Environment, ProcessOfConversation, UsageInFiles } from '../agent.ts'
import { isWithin, linesWith } from '../conversation-file.ts'
import { countAt, type Json, objectAt, textAt } from '../json-line.ts'

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

/** What it puts in itself where a model should have answered. */
const SYNTHETIC = '<synthetic>'

/** In the folder of its worktree, or, where it was begun in another one, in the folder of that. */
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

/** Those that were written to since then. */
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

/** The newest part of a long conversation: what lies before it is not counted. */
const PROJECT_BYTES = 16_000_000
const SUBAGENT_BYTES = 2_000_000
/** Of one process, and of all processes of the conversation: what is beyond is not counted. */
const MAX_SUBAGENTS = 100
const MAX_FILES = 1_000
const MAX_PROJECTS = 1_000

// What Claude Code says of its tokens: with each answer of its model, and with the result of a process.

/** Claude Code tells its tokens in the same words of an answer, of a whole process and in its files. */
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
 * Of the conversation so far, from its `result` line. There `usage` is of the main conversation since the result before;
 * only `modelUsage` has what subagents used, too, and goes on with the conversation as the cost does. A version that has
 * none of it is taken at its `usage`: of a conversation that was resumed that may be less than it used.
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
 * What the answers of a process used together, each counted once: an answer comes in several lines, one for each of its
 * parts, and between them come those of subagents that work at the same time.
 */
export class AnswersUsage {
  readonly #newest = new Map<string, Usage>()
  total: Usage = NO_USAGE

  /** Says whether the answer is new. One without a name is another one each time. */
  count(answer: string | null, usage: Usage): boolean {
    const earlier = answer === null ? undefined : this.#newest.get(answer)
    if (answer !== null) this.#newest.set(answer, usage)
    if (!earlier || !isSame(earlier, usage)) this.total = addUsage(usageSince(this.total, earlier ?? NO_USAGE), usage)
    const [oldest = ''] = this.#newest.keys()
    if (this.#newest.size > MAX_ANSWERS) this.#newest.delete(oldest)
    return !earlier
  }
}

function isSame(one: Usage, other: Usage): boolean {
  return USAGE_COUNTS.every((key) => one[key] === other[key])
}

/** More than there are subagents at the same time: only answers under way are told of again. */
const MAX_ANSWERS = 64
