// What became of one attempt, in the few figures that later choices and estimates are made of. Kept beyond the run.
import * as z from 'zod'

export const experience = z.object({
  run: z.string(),
  task: z.string(),
  attempt: z.number().int().positive(),
  at: z.number(),
  agent: z.string(),
  /** Null: the program's own choice, and it did not tell. */
  model: z.string().nullable(),
  domain: z.string(),
  /** How hard the task looked. */
  complexity: z.number().min(0).max(1),
  /** The words that say most about it; see learning/looks.ts. */
  words: z.array(z.string()),
  /** It did what was asked: it passed its checks and landed, or had nothing to land. */
  succeeded: z.boolean(),
  /** Null: nobody knows. */
  costUsd: z.number().nonnegative().nullable(),
  durationMs: z.number().nonnegative(),
})
export type Experience = z.infer<typeof experience>

/** What a task looks like before it has run. */
export type Looks = Pick<Experience, 'domain' | 'complexity' | 'words'>
