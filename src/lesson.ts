// Something that was learned and may help the next one: a sentence, what it is about, where it was seen, and how far it
// is to be trusted. All of it is derived from the journal or was said by an agent or a person.
import * as z from 'zod'

const LESSON_KINDS = [
  'together', // files that change together
  'command', // a command that worked, and how long it takes
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

/** Evidence kept of one, its characters, its paths. */
export const EVIDENCE = 5
export const LESSON_CHARS = 400
export const LESSON_PATHS = 8
