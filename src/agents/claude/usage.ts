// What Claude Code says of its tokens: with each answer of its model, and with the result of a process.

import { addUsage, NO_USAGE, USAGE_COUNTS, type Usage, usageSince } from '../../usage.ts'
import { countAt, type Json, objectAt } from '../json-line.ts'

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
