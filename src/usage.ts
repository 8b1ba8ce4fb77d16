// Tokens and money. Agents count in different ways; here everything is counted once.
import { z } from 'zod'

const count = z.number().nonnegative()

export const usage = z.object({
  /** Read anew: neither from the provider's cache nor into it. */
  inputTokens: count,
  /** With what the model thought. */
  outputTokens: count,
  cacheReadTokens: count.default(0),
  cacheWriteTokens: count.default(0),
  /** The part of the output that the model only thought. */
  reasoningTokens: count.default(0),
  costUsd: count,
})
export type Usage = z.infer<typeof usage>

export const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
}

const KEYS = Object.keys(NO_USAGE) as (keyof Usage)[]

export function addUsage(a: Usage, b: Usage): Usage {
  return combine((key) => a[key] + b[key])
}

/** A counter that goes backwards has begun anew: it never gives money back. */
export function usageSince(now: Usage, before: Usage): Usage {
  return combine((key) => Math.max(0, now[key] - before[key]))
}

function combine(value: (key: keyof Usage) => number): Usage {
  return Object.fromEntries(KEYS.map((key) => [key, value(key)])) as Usage
}

export type Spent = {
  usage: Usage
  /** Of it: attempts whose work did not land and never will. What succeeded with nothing to land is not among them. */
  notLanded: Usage
}

/** `name`: of the task, epic, agent or model. */
export type SpentOn = { name: string } & Spent

/** Lists hold only what something was spent on, in the order it first was. */
export type Spending = {
  run: Spent
  tasks: SpentOn[]
  epics: SpentOn[]
  agents: SpentOn[]
  models: SpentOn[]
}
