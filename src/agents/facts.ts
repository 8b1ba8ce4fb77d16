// What is known of an agent's program without its code: `agents/NAME/facts.ts` of each. Settings, help texts and checks
// before a run follow from it, so it has to load in no time.

/** The date of all models and prices. `npm run test:agents -- default-models` compares them with the programs. */
export const MODELS_DATED = '2026-11-16'

/** US dollars per million tokens. Without a price of its own, what concerns the cache costs as much as other input. */
export type Price = { input: number; output: number; cacheRead?: number; cacheWrite?: number }

export type Environment = Readonly<Record<string, string | undefined>>

export type AgentFacts = {
  /** Its name in messages. */
  title: string
  /** Environment variables it needs, by name or glob: where its provider is, and the key for it. */
  variables: readonly string[]
  cost: CostReport
  /** The model it uses for somebody who pays by key and names none; null: there is no such model. */
  defaultModel: string | null
  /** What `model: auto` chooses from, the cheapest first. */
  tiers: readonly string[]
  /**
   * Names of its models: how they begin, in words, and short ones, whose meaning changes with the program. Null: its models
   * come from several providers.
   */
  models: { pattern: RegExp; like: string; short: readonly string[] } | null
  /**
   * List prices. An entry stands for one version of a model, whatever its date: `gpt-5-pro` is no `gpt-5`, and costs twelve
   * times as much. Questions beyond a length that depends on the model (100,000 to 272,000 tokens) cost more than this.
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
 * How the cost of a program becomes known. It is reported while it works, or only when it ends: until then, and where it is
 * ended before, its tokens count by the price of its model. Or it is always worked out by tokens, or both may be. Or nobody
 * knows beforehand whether the program reports anything.
 */
export type CostReport = 'reported' | 'reported-at-end' | 'by-tokens' | 'reported-or-by-tokens' | 'perhaps-unknown'
