// What `model: auto` has chosen for an attempt.
import * as z from 'zod'

const usd = z.number().nonnegative()

export const modelChoice = z.object({
  model: z.string(),
  /** Counted from 1, the cheapest of the agent's models. */
  tier: z.number().int().positive(),
  tiers: z.number().int().positive(),
  why: z.string(),
  /** How likely it succeeds at this try. */
  success: z.number().min(0).max(1),
  /** What it will probably cost, and what the dearest of them would. */
  expectedUsd: usd,
  dearestUsd: usd,
  /** Of the dearest of them, in US dollars per million tokens. Not in journals of earlier versions. */
  dearestPrice: z.object({ input: usd, output: usd, cacheRead: usd, cacheWrite: usd }).optional(),
})
export type ModelChoice = z.infer<typeof modelChoice>
