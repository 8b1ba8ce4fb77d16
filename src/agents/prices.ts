// What a token of a model costs, for agents that do not say it themselves, or only at their end. A project's own prices go
// before those of the list (`prices:` in the settings).
import { allTokens, costOf, type Usage } from '../usage.ts'
import type { Price } from './facts.ts'
import { AGENTS } from './list.ts'

export type Prices = Readonly<Record<string, Price>>

/** List prices of the models of all agents. */
export const PRICES: Readonly<Record<string, Required<Price>>> = Object.assign(
  {},
  ...Object.values(AGENTS).map(({ prices }) => prices),
)

/** Null where the price of that model is not known: then the cost is not known either, and nobody guesses. */
export function priceOf(model: string, own: Prices = {}): Price | null {
  return priceIn(model, own) ?? priceIn(model, PRICES)
}

function priceIn(model: string, prices: Prices): Price | null {
  const name = Object.hasOwn(prices, model) ? model : undated(model)
  return Object.hasOwn(prices, name) ? (prices[name] ?? null) : null
}

/** What it cost by the price of that model; `costUnknown` where nobody knows it. */
export function withCost(usage: Usage, model: string, own?: Prices): Usage {
  const price = priceOf(model, own)
  if (price) return { ...usage, costUsd: costOf(usage, price) }
  return allTokens(usage) > 0 ? { ...usage, costUnknown: true } : usage
}

export function givePrice(model: string): string {
  return `Give one in .espalier/config.yaml, in dollars per million tokens: \`prices: { ${model}: { input: 1, output: 5 } }\``
}

/** The name of a model without the date of its version. What else follows a name makes it another model. */
export function undated(model: string): string {
  return model.replace(DATED, '')
}

const DATED = /-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/
