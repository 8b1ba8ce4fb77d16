// Choice of `model: auto` for an attempt.
import * as z from 'zod'

const usd = z.number().nonnegative()

export const modelChoice = z.object({
  model: z.string(),
  /** Counted from 1, the cheapest of the agent's models. */
  tier: z.number().int().positive(),
  tiers: z.number().int().positive(),
  why: z.string(),
  /** Probability of success at this try. */
  success: z.number().min(0).max(1),
  /** Expected cost, and that of the dearest model. */
  expectedUsd: usd,
  dearestUsd: usd,
  /** Price of the dearest model in US dollars per million tokens. Not in journals of earlier versions. */
  dearestPrice: z.object({ input: usd, output: usd, cacheRead: usd, cacheWrite: usd }).optional(),
})
export type ModelChoice = z.infer<typeof modelChoice>
