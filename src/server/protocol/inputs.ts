// What several routes take.
import * as z from 'zod'
import { LIMITS, SETTINGS } from '../../config.ts'
import { type NamesWith, type Setting, settingsWith, valueName } from '../../setting.ts'
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

type Table = typeof SETTINGS
type Requested = NamesWith<Table, 'inRequest'>

/** Settings of a request to start or continue a run, by their name in the program: `timeoutMs`. */
export type RunSettings = {
  [N in Requested as Table[N] extends TimeSetting ? `${N}Ms` : N]?: RequestValue<Table[N]> | undefined
}

type TimeSetting = Setting<{ type: 'time' }, unknown>
type RequestValue<S> =
  S extends Setting<infer K, infer V>
    ? K extends { type: 'slots' }
      ? number | 'auto'
      : K extends { type: 'usd' }
        ? V
        : NonNullable<V>
    : never

export const requestedSettings = Object.entries<Setting>(settingsWith(SETTINGS, 'inRequest'))

export const runSettings = Object.fromEntries(
  requestedSettings.map(([name, setting]) => [valueName(name, setting), fieldOf(setting)]),
) as { [N in keyof RunSettings]-?: z.ZodOptional<z.ZodType<Exclude<RunSettings[N], undefined>>> }

function fieldOf({ kind, fallback, help }: Setting): z.ZodOptional {
  if (kind.type === 'slots')
    return z
      .union([slots, z.literal('auto')])
      .optional()
      .describe('auto: as many as the machine can take')
  // What the flag stands for; anything else is asked for by leaving it out.
  if (kind.type === 'boolean')
    return z
      .literal(fallback !== true)
      .optional()
      .describe(help)
  if (kind.type === 'usd') return z.number().positive().max(1e9).nullable().optional().describe(help)
  if (kind.type === 'time') return z.number().int().min(1_000).max(LIMITS.durationMs).optional()
  if (kind.type === 'choice') return z.enum(kind.of).optional().describe(help)
  if (kind.type === 'whole')
    return z
      .number()
      .int()
      .min(kind.min)
      .max(kind.max ?? LIMITS.slots)
      .optional()
      .describe(help)
  return word.optional().describe(help)
}
