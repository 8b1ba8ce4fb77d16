// Records that attempts leave for the next ones, kept beyond their run: experiences, the choices of models made of them, and lessons.
import * as z from 'zod'

const usd = z.number().nonnegative()

/** Outcome of one attempt in the few figures that later choices and estimates are made of. */
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
  /** The words that say most about it; see learning/task-features.ts. */
  words: z.array(z.string()),
  /** True if it passed its checks and landed, or had nothing to land. */
  succeeded: z.boolean(),
  /** Null: unknown. */
  costUsd: usd.nullable(),
  durationMs: z.number().nonnegative(),
})
export type Experience = z.infer<typeof experience>

/** Features of a task that are known before it runs. */
export type Looks = Pick<Experience, 'domain' | 'complexity' | 'words'>

/** Choice of `model: auto` for an attempt. */
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

const LESSON_KINDS = [
  'fix', // a check that failed, and what put it right
  'conflict', // paths that several tasks want at once
  'paths', // paths that tasks change without having claimed them, or are denied
  'advice', // said by an agent or a person
] as const
export type LessonKind = (typeof LESSON_KINDS)[number]

const evidence = z.object({
  run: z.string(),
  task: z.string(),
  attempt: z.number().int().positive(),
  session: z.string().nullable(),
  commit: z.string().nullable(),
})
export type Evidence = z.infer<typeof evidence>

/**
 * A sentence that may help the next attempt, what it is about, where it was seen, and how far it is to be trusted. Derived
 * from the journal, or said by an agent or a person.
 */
export const lesson = z.object({
  /** The same thing seen again has the same id. */
  id: z.string().regex(/^[0-9a-f]{10}$/),
  domain: z.string(),
  kind: z.enum(LESSON_KINDS),
  text: z.string(),
  /** The files it names: a lesson about files that are gone is gone too. */
  paths: z.array(z.string()),
  confidence: z.number().min(0).max(1),
  /** Times it was seen, and times it was given to an attempt that succeeded or failed. */
  seen: z.number().int().nonnegative(),
  helped: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  /** The newest, at most EVIDENCE. */
  evidence: z.array(evidence),
  learnedAt: z.number(),
  updatedAt: z.number(),
})
export type Lesson = z.infer<typeof lesson>

export type Known = Map<string, Lesson>

/** Evidence kept of one. */
export const EVIDENCE = 5
