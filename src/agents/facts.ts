// Facts of an agent's program, without its code: `agents/NAME/facts.ts` of each. Settings, help texts and checks before
// a run follow from them, so they have to load in no time.

/** Date of all models and prices. `npm run test:agents -- default-models` compares them with the programs. */
export const MODELS_DATED = '2026-11-16'

/** US dollars per million tokens. By default the cache costs as much as other input. */
export type Price = { input: number; output: number; cacheRead?: number; cacheWrite?: number }

/** By default a token read from the cache costs a tenth of other input. `models`: with spaces between them. */
type PriceRow = readonly [models: string, input: number, output: number, cacheRead?: number]

/** `cacheWrite`: price of a token written into the cache, as a multiple of other input. */
export function listPrices(cacheWrite: number, rows: readonly PriceRow[]): Record<string, Required<Price>> {
  const prices = rows.flatMap(([models, input, output, cacheRead = input / 10]) =>
    models.split(' ').map((model) => [model, { input, output, cacheRead, cacheWrite: cacheWrite * input }]),
  )
  return Object.fromEntries(prices)
}

export type Environment = Readonly<Record<string, string | undefined>>

export type AgentFacts = {
  /** Its name in messages. */
  title: string
  /** Environment variables it needs, by name or glob: address of its provider, and the key for it. */
  variables: readonly string[]
  cost: CostReport
  /** The model for a user who pays by key and names none; null: there is no such model. */
  defaultModel: string | null
  /** Models for `model: auto`, the cheapest first. */
  tiers: readonly string[]
  /**
   * Names of its models: their beginning, in words, and short ones, whose meaning changes with the program. Null: its
   * models come from several providers.
   */
  models: { pattern: RegExp; like: string; short: readonly string[] } | null
  /**
   * List prices. An entry stands for one version of a model, whatever its date: `gpt-5-pro` is no `gpt-5`, and costs
   * twelve times as much. Questions above a length that depends on the model (100,000 to 272,000 tokens) cost more.
   */
  prices: Readonly<Record<string, Required<Price>>>
  /** Variables and files that look like a login, and how to get one. */
  login: {
    variables: readonly string[]
    files(env: Environment, home: string): string[]
    advice: string
  }
  /** The npm package, with its version, that `npm run test:agents` tries. */
  testedPackage: string
}

/**
 * How the cost becomes known: reported at work; reported at the end (until then, and if it is ended before, its tokens
 * count by the price of its model); always by tokens; one of both; or unknown whether anything is reported.
 */
export type CostReport = 'reported' | 'reported-at-end' | 'by-tokens' | 'reported-or-by-tokens' | 'perhaps-unknown'
