// What other processes ask of the engine, as it is checked when it is read.
import * as z from 'zod'
import { finishedSchema, reportSchema, verifiedSchema } from '../event.ts'
import { NOTE_KINDS } from '../status.ts'
import type { Request } from './store.ts'

export const requestSchema: z.ZodType<Request> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('cancel'), task: z.string().nullable() }),
  z.object({ type: z.literal('slots'), slots: z.number().int().positive() }),
  z.object({ type: z.literal('priority'), task: z.string(), priority: z.number() }),
  z.object({
    type: z.literal('resolve'),
    task: z.string(),
    conflict: z.string(),
    commit: z.string().nullable(),
    diff: z.object({ files: z.number(), insertions: z.number(), deletions: z.number() }).nullable(),
  }),
  z.object({
    type: z.literal('note'),
    task: z.string(),
    attempt: z.number(),
    kind: z.enum(NOTE_KINDS),
    text: z.string(),
    details: z.string().optional(),
  }),
  z.object({ type: z.literal('report'), fact: reportSchema }),
  z.object({
    type: z.literal('deliver'),
    fact: z.discriminatedUnion('type', [finishedSchema, verifiedSchema]),
    isNew: z.boolean().optional(),
  }),
  z.object({ type: z.literal('claim'), task: z.string(), attempt: z.number(), paths: z.array(z.string()) }),
])
