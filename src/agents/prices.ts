// What tokens cost, for agents that do not say it themselves, or only at their end. List prices per million tokens, as the
// providers published them on the date below; those of Claude's later models are the ones that Claude Code 2.1.325 itself
// counts with. A project's own prices go before these (`prices:` in the settings).
import type { PriceSetting } from '../config.ts'

export const PRICES_DATED = '2025-12-01'

export type Price = PriceSetting

export type Prices = Readonly<Record<string, Price>>

/** An entry stands for one version of a model, whatever its date: `gpt-5-pro` is no `gpt-5`, and costs twelve times as much. */
export const PRICES: Readonly<Record<string, Required<Price>>> = {
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
  'claude-opus-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-8': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-7': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-6': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-5': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-opus-4-1': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-opus-4': { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 },
  'claude-sonnet-5-5': { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 },
  'claude-sonnet-4-6': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4-5': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'claude-3-5-haiku': { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
  'gpt-5.1': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gpt-5.1-codex': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gpt-5.1-codex-mini': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gpt-5-codex': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025, cacheWrite: 0 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005, cacheWrite: 0 },
  'gpt-5-pro': { input: 15, output: 120, cacheRead: 15, cacheWrite: 0 },
  'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: 0 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03, cacheWrite: 0 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01, cacheWrite: 0 },
}

/** Null where the price of that model is not known: then the cost is not known either, and nobody guesses. */
export function priceOf(model: string, own: Prices = {}): Price | null {
  return priceIn(model, own) ?? priceIn(model, PRICES)
}

function priceIn(model: string, prices: Prices): Price | null {
  const name = Object.hasOwn(prices, model) ? model : undated(model)
  return Object.hasOwn(prices, name) ? (prices[name] ?? null) : null
}

export function givePrice(model: string): string {
  return `Give one in .espalier/config.yaml, in dollars per million tokens: \`prices: { ${model}: { input: 1, output: 5 } }\``
}

/** The name of a model without the date of its version. What else follows a name makes it another model. */
export function undated(model: string): string {
  return model.replace(DATED, '')
}

const DATED = /-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/
