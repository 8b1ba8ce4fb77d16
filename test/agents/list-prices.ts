import type { Price } from '../../src/agents/facts.ts'
import { AGENTS } from '../../src/agents/list.ts'

/** List prices of the models of all agents. */
export const PRICES: Record<string, Required<Price>> = Object.assign(
  {},
  ...Object.values(AGENTS).map(({ prices }) => prices),
)
