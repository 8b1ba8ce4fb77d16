// Schema of usage in the journal. Apart from usage.ts because schemas take time to load, and `espalier status` has none.
import * as z from 'zod'

const count = z.number().nonnegative()

export const usage = z.object({
  /** Read anew: neither from the provider's cache nor into it. */
  inputTokens: count,
  /** Output tokens, thinking included. */
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  /** The part of the output that the model only thought. */
  reasoningTokens: count,
  costUsd: count,
  /** Part of it has an unknown cost, which is not in `costUsd`. */
  costUnknown: z.literal(true).optional(),
})

/** `notLanded`: of it, attempts whose work did not land and never will. What succeeded with nothing to land is not among them. */
export const spent = z.object({ usage, notLanded: usage })

/** `name`: of the task, epic, agent or model. */
export const spentOn = spent.extend({ name: z.string() })

/** Lists hold only what something was spent on, in the order it first was. */
export const spending = z.object({
  run: spent,
  tasks: z.array(spentOn),
  epics: z.array(spentOn),
  agents: z.array(spentOn),
  models: z.array(spentOn),
})
