// Fields of requests and answers that several routes have.
import * as z from 'zod'
import { LIMITS, SETTINGS } from '../../config.ts'
import { type NamesWith, type Setting, settingsWith, valueName } from '../../setting.ts'
import { ID_PATTERN } from '../../task.ts'

export const projectId = z.string().regex(ID_PATTERN).describe('the id of a project: `GET /api/projects` lists them')
export const OF_PROJECT = { project: projectId }
export const OF_RUN = { ...OF_PROJECT, run: z.string().regex(ID_PATTERN).describe('the id of a run') }
/** A task is named by its id or by its name in the plan file. */
export const OF_TASK = { ...OF_RUN, task: z.string().min(1).max(200).describe('the id of a task') }

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => z.int().min(min).max(max)
const text = (max: number) => z.string().max(max)

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

/** The answer of routes that start an engine. */
export const started = z.object({
  run: z.string(),
  pid: z.number().describe('the process of its engine, on the machine of the server'),
})

export const delivered = z
  .enum(['to-engine', 'carried-out', 'recorded'])
  .describe(
    'to-engine: it does it now. carried-out: no engine was there, so it was done here. recorded: the next resume does it',
  )
/** The answer of routes that cancel a run or a task. */
export const cancelled = z.object({ run: z.string(), task: z.string().nullable(), delivered, again: z.boolean() })

const word = z.string().min(1).max(2_000)

/** A commit or a name that git resolves to one, never an option. */
export const commit = z.string().min(1).max(250).regex(/^[^-]/)

export const slots = whole(1, LIMITS.slots)

type Table = typeof SETTINGS
type RequestValue<S> =
  S extends Setting<infer K, infer V>
    ? K extends { type: 'slots' }
      ? number | 'auto'
      : K extends { type: 'usd' }
        ? V
        : NonNullable<V>
    : never

/** Settings of a request to start or continue a run, by their name in the program: `timeoutMs`. */
export const runSettings = Object.fromEntries(
  Object.entries<Setting>(settingsWith(SETTINGS, 'inRequest')).map(([name, setting]) => [
    valueName(name, setting),
    fieldOf(setting),
  ]),
) as {
  [N in NamesWith<Table, 'inRequest'> as Table[N] extends Setting<{ type: 'time' }, unknown>
    ? `${N}Ms`
    : N]: z.ZodOptional<z.ZodType<RequestValue<Table[N]>>>
}

function fieldOf({ kind, fallback, help }: Setting): z.ZodOptional {
  switch (kind.type) {
    case 'slots':
      return z.literal('auto').or(slots).optional().describe('auto: as many as the machine can take')
    case 'boolean':
      // The value that the flag sets; the opposite is the default.
      return z
        .literal(fallback !== true)
        .optional()
        .describe(help)
    case 'usd':
      return z.number().positive().max(1e9).nullable().optional().describe(help)
    case 'time':
      return whole(1_000, LIMITS.durationMs).optional()
    case 'choice':
      return z.enum(kind.of).optional().describe(help)
    case 'whole':
      return whole(kind.min, kind.max ?? LIMITS.slots)
        .optional()
        .describe(help)
    default:
      return word.optional().describe(help)
  }
}
