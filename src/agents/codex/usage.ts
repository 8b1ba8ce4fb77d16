import type { Usage } from '../../usage.ts'
import { countAt, type Json } from '../json-line.ts'

/** Codex tells its tokens in the same words in its output and in its files. What it read from the cache is part of the input. */
export function codexUsage(tokens: Json | null): Usage {
  const cached = countAt(tokens, 'cached_input_tokens')
  return {
    inputTokens: Math.max(0, countAt(tokens, 'input_tokens') - cached),
    outputTokens: countAt(tokens, 'output_tokens'),
    cacheReadTokens: cached,
    cacheWriteTokens: countAt(tokens, 'cache_write_input_tokens'),
    reasoningTokens: countAt(tokens, 'reasoning_output_tokens'),
    costUsd: 0,
  }
}
