// Tokens and money. Agents count in different ways; here everything is counted once.
import type * as z from 'zod'
import type { Price } from './agents/facts.ts'
import type { usage } from './event.ts'

export type Usage = z.infer<typeof usage>

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
}

/** Usage that has cost an unknown amount. */
export const UNKNOWN_COST: Usage = { ...NO_USAGE, costUnknown: true }

export const USAGE_COUNTS = Object.keys(NO_USAGE) as Exclude<keyof Usage, 'costUnknown'>[]

export function addUsage(a: Usage, b: Usage): Usage {
  return combine(a, b, (one, other) => one + other)
}

/** Usage of all attempts, running ones as far as they have reported. */
export function usageOf(attempts: readonly { usage: Usage | null }[], before: Usage = NO_USAGE): Usage {
  return attempts.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), before)
}

/**
 * A counter that goes backwards has begun anew: all that it tells now came since. The kinds of tokens are one counter (any
 * of them may be higher by chance), the cost is another.
 */
export function usageSince(now: Usage, before: Usage): Usage {
  const tokens = allTokens(now) < allTokens(before) ? NO_USAGE : before
  const costUsd = now.costUsd < before.costUsd ? 0 : before.costUsd
  return combine(now, { ...tokens, costUsd }, (one, other) => Math.max(0, one - other))
}

/** Thinking is part of the output. */
export function allTokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
}

/** Larger value of each field of two counts that may each be behind. */
export function mostUsage(a: Usage, b: Usage): Usage {
  return combine(a, b, Math.max)
}

function combine(a: Usage, b: Usage, value: (one: number, other: number) => number): Usage {
  const combined = { ...NO_USAGE }
  for (const key of USAGE_COUNTS) combined[key] = value(a[key], b[key])
  if (a.costUnknown || b.costUnknown) combined.costUnknown = true
  return combined
}

export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const sum = inputTokens * input + outputTokens * output
  return (sum + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite) / 1_000_000
}

/** Cost in US dollars; null: unknown. */
export function knownCost(usage: Usage | null): number | null {
  return usage === null || usage.costUnknown ? null : usage.costUsd
}
