// The models an agent has to choose from, with their prices; and which names are models at all.
import { priceOf, undated } from '../agents/prices.ts'
import type { Settings } from '../config.ts'
import { SHORT_NAMES } from '../models.ts'
import type { Tier } from './model-choice.ts'

/** A model that nobody knows the price of cannot be weighed against others: its name. */
export function tiersOf(agent: string, settings: Settings): { tiers: Tier[]; unpriced: string[] } {
  const names = tierNames(agent, settings)
  const priced = names.map((model) => ({ model, price: priceOf(model, settings.prices) }))
  return {
    tiers: priced.flatMap(({ model, price }) => {
      if (!price) return []
      const { input, output, cacheRead = input, cacheWrite = input } = price
      return [{ model, price: { input, output, cacheRead, cacheWrite } }]
    }),
    unpriced: priced.filter(({ price }) => price === null).map(({ model }) => model),
  }
}

/** What an agent calls its model may have a date that its tier has not: `claude-sonnet-4-5-20250929`. */
export function tierNamed(agent: string, model: string, settings: Pick<Settings, 'agents'>): string {
  const names = tierNames(agent, settings)
  return !names.includes(model) && names.includes(undated(model)) ? undated(model) : model
}

export function tierNames(agent: string, { agents }: Pick<Settings, 'agents'>): string[] {
  if (agent.startsWith('acp:')) return agents.acp[agent.slice(4)]?.tiers ?? []
  return PROGRAMS.has(agent) ? agents[agent as 'claude'].tiers : []
}

/** Known are its tiers, its short names, names like its provider's, and what has a price. Agents with models of anybody: all. */
export function isKnownModel(agent: string, model: string, settings: Settings): boolean {
  const shortNames = SHORT_NAMES[agent]
  if (!shortNames || [...shortNames, ...tierNames(agent, settings)].includes(model)) return true
  const maker = Object.keys(NAMED).find((one) => NAMED[one]?.pattern.test(model))
  return maker === undefined ? priceOf(model, settings.prices) !== null : maker === agent
}

const PROGRAMS = new Set(['claude', 'codex', 'opencode', 'gemini'])

/** What the names of their models look like. Only how they begin is checked: there are new ones all the time. */
export const NAMED: Readonly<Record<string, { pattern: RegExp; like: string }>> = {
  claude: { pattern: /^claude-/, like: 'claude-…' },
  codex: { pattern: /^(gpt-|codex-|o\d)/, like: 'gpt-…, codex-…, o3…' },
  gemini: { pattern: /^gemini-/, like: 'gemini-…' },
}
