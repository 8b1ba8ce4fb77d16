// Prices of models, for agents that report no cost, or only at their end. A project's own prices (`prices:` in the
// settings) go before the list.
import { allTokens, costOf, type Usage } from '../usage.ts'
import type { Price } from './facts.ts'
import { AGENTS } from './list.ts'

export type Prices = Readonly<Record<string, Price>>

const PRICES: Readonly<Record<string, Required<Price>>> = Object.assign(
  {},
  ...Object.values(AGENTS).map(({ prices }) => prices),
)

/** Null: the price, and so the cost, is not known, and nobody guesses. */
export function priceOf(model: string, own: Prices = {}): Price | null {
  return priceIn(model, own) ?? priceIn(model, PRICES)
}

function priceIn(model: string, prices: Prices): Price | null {
  const name = Object.hasOwn(prices, model) ? model : undated(model)
  return Object.hasOwn(prices, name) ? (prices[name] ?? null) : null
}

/** The cost by the price of that model; `costUnknown` without one. */
export function withCost(usage: Usage, model: string, own?: Prices): Usage {
  const price = priceOf(model, own)
  if (price) return { ...usage, costUsd: costOf(usage, price) }
  return allTokens(usage) > 0 ? { ...usage, costUnknown: true } : usage
}

export function givePrice(model: string): string {
  return `Give one in .espalier/config.yaml, in dollars per million tokens: \`prices: { ${model}: { input: 1, output: 5 } }\``
}

/** The name of a model without the date of its version. Any other ending makes it another model. */
export function undated(model: string): string {
  return model.replace(DATED, '')
}

const DATED = /-(?:\d{8}|\d{4}-\d\d-\d\d|latest)$/
