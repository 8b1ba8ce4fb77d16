// Outcome of one attempt in the few figures that later choices and estimates are made of. Kept beyond the run.
import * as z from 'zod'

export const experience = z.object({
  run: z.string(),
  task: z.string(),
  attempt: z.number().int().positive(),
  at: z.number(),
  agent: z.string(),
  /** Null: the agent's own choice, which it did not report. */
  model: z.string().nullable(),
  domain: z.string(),
  /** Estimated difficulty of the task. */
  complexity: z.number().min(0).max(1),
  /** The words that say most about it; see learning/looks.ts. */
  words: z.array(z.string()),
  /** True if it passed its checks and landed, or had nothing to land. */
  succeeded: z.boolean(),
  /** Null: unknown. */
  costUsd: z.number().nonnegative().nullable(),
  durationMs: z.number().nonnegative(),
})
export type Experience = z.infer<typeof experience>

/** Features of a task that are known before it runs. */
export type Looks = Pick<Experience, 'domain' | 'complexity' | 'words'>
