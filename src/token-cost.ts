// What tokens cost at a price.
import type { PriceSetting } from './config.ts'
import type { Usage } from './usage.ts'

export function costOf(usage: Usage, price: PriceSetting): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const sum = inputTokens * input + outputTokens * output
  return (sum + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite) / 1_000_000
}
