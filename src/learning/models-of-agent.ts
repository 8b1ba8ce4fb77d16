// The models that an agent can choose from, with their prices; and a check of model names.

import { programOf } from '../agents/agents-by-name.ts'
import type { AgentFacts } from '../agents/facts.ts'
import { AGENTS, isKnownAgent, KNOWN_AGENTS } from '../agents/list.ts'
import { priceOf, undated } from '../agents/prices.ts'
import type { Settings } from '../config.ts'
import type { Tier } from './model-choice.ts'

/** The priced models of an agent. `unpriced`: models without a known price, which cannot be compared. */
export function tiersOf(agent: string, settings: Settings): { tiers: Tier[]; unpriced: string[] } {
  const [tiers, unpriced]: [Tier[], string[]] = [[], []]
  for (const model of tierNames(agent, settings)) {
    const price = priceOf(model, settings.prices)
    if (price) tiers.push({ model, price })
    else unpriced.push(model)
  }
  return { tiers, unpriced }
}

/** Tier of a model name, which may have a date that the tier lacks: `claude-sonnet-4-5-20250929`. */
export function tierNamed(agent: string, model: string, settings: Pick<Settings, 'agents'>): string {
  const names = tierNames(agent, settings)
  return !names.includes(model) && names.includes(undated(model)) ? undated(model) : model
}

export function tierNames(agent: string, settings: Pick<Settings, 'agents'>): string[] {
  return programOf(agent, settings)?.tiers ?? []
}

/** True for its tiers and short names, other names of its provider, and priced models. Always true for agents of any provider. */
export function isKnownModel(agent: string, model: string, settings: Settings): boolean {
  const own = modelsOf(agent)
  if (!own || [...own.short, ...tierNames(agent, settings)].includes(model)) return true
  // Only the beginning of a name is checked: new models appear all the time.
  const maker = KNOWN_AGENTS.find((one) => AGENTS[one].models?.pattern.test(model))
  return maker === undefined ? priceOf(model, settings.prices) !== null : maker === agent
}

/** Models of an agent; null: several providers, or none. */
export function modelsOf(agent: string): AgentFacts['models'] {
  return isKnownAgent(agent) ? AGENTS[agent].models : null
}
