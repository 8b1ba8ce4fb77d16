// What tokens cost, for agents that do not say it themselves. List prices per million tokens, as the providers published
// them on the date below; a project's own prices go before these (`prices:` in the settings).
import type { Usage } from '../usage.ts'

export const PRICES_DATED = '2025-10-01'

/** US dollars per million tokens. */
export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number }

/** The longest name that a model's name begins with counts, up to a `-`: `gpt-5.1` is no `gpt-5`. */
export const PRICES: Readonly<Record<string, Price>> = {
  'claude-opus-4': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-4': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005, cacheWrite: 0 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01, cacheWrite: 0 },
}

/** Null where the price of that model is not known: then the cost is not known either, and nobody guesses. */
export function priceOf(model: string, own: Readonly<Record<string, Price>> = {}): Price | null {
  return longestPrefix(model, own) ?? longestPrefix(model, PRICES)
}

export function costOf(usage: Usage, price: Price): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage
  const sum = inputTokens * price.input + outputTokens * price.output
  return (sum + cacheReadTokens * price.cacheRead + cacheWriteTokens * price.cacheWrite) / 1_000_000
}

function longestPrefix(model: string, prices: Readonly<Record<string, Price>>): Price | null {
  const names = Object.keys(prices).filter((name) => model === name || model.startsWith(`${name}-`))
  const best = names.sort((a, b) => b.length - a.length)[0]
  return best === undefined ? null : (prices[best] ?? null)
}
