// What several routes take.
import * as z from 'zod'
import { ON_BUDGET } from '../../budget.ts'
import { LIMITS } from '../../config.ts'
import { ID_PATTERN } from '../../task.ts'

export const projectId = z.string().regex(ID_PATTERN).describe('the id of a project: `GET /api/projects` lists them')
export const ofProject = { project: projectId }
export const ofRun = { ...ofProject, run: z.string().regex(ID_PATTERN).describe('the id of a run') }
/** Its id, or what its plan file calls it. */
export const ofTask = { ...ofRun, task: z.string().min(1).max(200).describe('the id of a task') }

const text = (max: number) => z.string().max(max)

/** A file of the repository by its path from the top, or the text of one. */
export const planInput = z
  .union([
    text(1_000).min(1).describe('a plan file or folder, from the top of the repository'),
    z.object({ text: text(64 << 20), name: text(120).optional() }).describe('the text of a plan, in any format'),
  ])
  .optional()
  .describe('default: espalier.yaml at the top of the repository')

export const planSource = {
  plan: planInput,
  format: text(40).optional(),
  part: text(200).optional().describe('only this part of it: batches such as 1-3, a tag of Task Master'),
}

/** What an engine was started for. */
export const started = z.object({
  run: z.string(),
  pid: z.number().describe('the process of its engine, on the machine of the server'),
})

const word = z.string().min(1).max(2_000)

export const slots = z.number().int().min(1).max(LIMITS.slots)

/** The flags of `espalier run`. */
export const runSettings = {
  maxConcurrency: z
    .union([slots, z.literal('auto')])
    .optional()
    .describe('auto: as many as the machine carries'),
  maxPerEpic: slots.optional(),
  agent: word.optional(),
  command: word.optional(),
  strict: z.literal(true).optional(),
  retries: z.number().int().min(0).max(LIMITS.retries).optional(),
  timeoutMs: z.number().int().min(1_000).max(LIMITS.durationMs).optional(),
  budgetUsd: z.number().positive().max(1e9).nullable().optional().describe('null: no limit'),
  onBudget: z.enum(ON_BUDGET).optional(),
  strictBudget: z.literal(true).optional().describe('refuse where a budget could not count all that is spent'),
  writeBack: z.literal(false).optional().describe('write no statuses into a plan file of another format'),
}
export type RunSettings = z.infer<z.ZodObject<typeof runSettings>>
