// What was used, as it stands in the journal. Apart from usage.ts because schemas take time to load, and `espalier status`
// has none.
import * as z from 'zod'

const count = z.number().nonnegative()

export const usage = z.object({
  /** Read anew: neither from the provider's cache nor into it. */
  inputTokens: count,
  /** With what the model thought. */
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** The part of the output that the model only thought. */
  reasoningTokens: count,
  costUsd: count,
  /** Of some of it nobody knows what it cost: that is not in `costUsd`. */
  costUnknown: z.literal(true).optional(),
})
