// The schema of a settings file: the user's own, or `.espalier/config.yaml`. It follows from the table of settings, as do the
// settings at the top of a plan. Published as JSON Schema.
import * as z from 'zod'
import { AGENT_FIELDS, type LayerSettings, SETTINGS } from '../../config.ts'
import { LIMITS } from '../../limits.ts'
import { isSetting, type Setting, type SettingFields, type SettingKind, valueName } from '../../setting.ts'
import {
  budgetUsd,
  commands,
  duration,
  env,
  filled,
  glob,
  label,
  listOf,
  stallTime,
  timeLimit,
  toEnv,
  toMs,
} from '../document/field.ts'

const VARIABLE_NAMES = /^[A-Za-z_*?][A-Za-z0-9_*?]*$/

const LISTED = {
  text: filled,
  word: z.string(),
  glob,
  label,
  variable: z.string().regex(VARIABLE_NAMES, { error: 'must be a name such as `NPM_TOKEN` or `AWS_*`' }),
}

const TIMES = { any: duration, positive: timeLimit, never: stallTime }

const perMillion = z.number().nonnegative()
const price = z.strictObject({
  input: perMillion.describe('US dollars per million tokens that are read'),
  output: perMillion.describe('… that are written, with what the model thought'),
  cacheRead: perMillion.optional().describe("… that come from the provider's cache; default: as `input`"),
  cacheWrite: perMillion.optional().describe('… that go into it; default: as `input`'),
})

const { program, args, ...agentFields } = AGENT_FIELDS

const acpAgents = z.record(
  z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, { error: 'must be a name such as `goose`: a-z, 0-9 and -' }),
  z.strictObject({
    program: fieldOf(program).unwrap().describe(program.help),
    args: fieldOf(args).describe('What makes it speak the protocol, and further arguments'),
    ...shapeOf(agentFields),
  }),
)

const checks = z.union([z.literal('all'), z.array(filled)], {
  error: 'must be a list of commands, `*` standing for anything, or `all`',
})

/** Types of values with a form of their own, by the last part of the setting's name. */
const OTHER_FIELDS: Record<string, { type: z.ZodType; toValue?: (input: never) => unknown }> = {
  prices: { type: z.record(filled, price) },
  checks: { type: checks },
  env: { type: env, toValue: toEnv },
  acp: { type: acpAgents, toValue: toAcpAgents },
}

function typeOf(kind: SettingKind, name: string): z.ZodType {
  switch (kind.type) {
    case 'boolean':
      return z.boolean()
    case 'text':
      return filled
    case 'slots':
      return z.int().min(1).max(LIMITS.slots)
    case 'whole': {
      const whole = z.int().min(kind.min)
      return kind.max === undefined ? whole : whole.max(kind.max)
    }
    case 'number':
      return z.number().min(kind.min).max(kind.max)
    case 'usd':
      return budgetUsd
    case 'choice':
      return z.enum(kind.of)
    case 'time':
      return TIMES[kind.least ?? 'any']
    case 'commands':
      return commands
    case 'list': {
      const list = z.array(LISTED[kind.of])
      return kind.of === 'label' ? list.max(LIMITS.labels) : list
    }
    case 'other':
      return OTHER_FIELDS[name]?.type ?? z.never()
  }
}

/** Types of settings in a file: times as `30m`, one command for a list of them. */
type FieldOf<S> =
  S extends Setting<infer K, infer V>
    ? z.ZodOptional<
        z.ZodType<K extends { type: 'time' } ? string | number : K extends { type: 'commands' } ? string | string[] : V>
      >
    : S extends { fields: infer F }
      ? z.ZodOptional<z.ZodType<z.infer<z.ZodObject<ShapeOf<F>>>>>
      : never
type ShapeOf<F> = { [N in keyof F]: FieldOf<F[N]> }

function fieldOf<S extends Setting>({ kind, fallback, orNull, help }: S, name = ''): FieldOf<S> {
  const type = typeOf(kind, name)
  return (fallback === null || orNull ? type.nullable() : type).optional().describe(help) as FieldOf<S>
}

function groupOf({ fields, help }: Exclude<SettingFields[string], Setting>): z.ZodType {
  const group = z.strictObject(shapeOf(fields)).optional()
  return help === undefined ? group : group.describe(help)
}

export function shapeOf<F extends SettingFields>(fields: F): ShapeOf<F> {
  const shape = Object.entries(fields).map(([name, field]) => [
    name,
    isSetting(field) ? fieldOf(field, name) : groupOf(field),
  ])
  return Object.fromEntries(shape)
}

export const settingsSchema = z.strictObject({ $schema: z.string().optional(), ...shapeOf(SETTINGS) })

export type SettingsInput = z.infer<typeof settingsSchema>

/** From file values to program values. Missing fields stay missing, unknown ones are dropped. */
export function toLayer(input: SettingsInput): LayerSettings {
  return valuesOf(SETTINGS, input)
}

function valuesOf(fields: SettingFields, input: object): object {
  const given = Object.entries(input).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined || value === undefined) return []
    if (isSetting(field)) return [[valueName(name, field), toValue(field, name, value)]]
    return [[name, valuesOf(field.fields, value)]]
  })
  return Object.fromEntries(given)
}

function toValue({ kind }: Setting, name: string, value: unknown): unknown {
  if (value === null) return null
  if (kind.type === 'time') return value === 'never' ? 0 : toMs(value as string | number)
  if (kind.type === 'commands') return listOf(value as string | string[])
  if (kind.type !== 'other') return value
  return OTHER_FIELDS[name]?.toValue?.(value as never) ?? value
}

function toAcpAgents(agents: Record<string, object>): object {
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, valuesOf(AGENT_FIELDS, agent)]))
}
