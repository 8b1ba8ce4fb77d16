// Settings from a file or from the environment: one layer each, checked like a plan.
import { type LayerSettings, SETTINGS } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { allSettings, type SettingKind } from '../../setting.ts'
import { errorsOf, newFindings } from '../document/findings.ts'
import { checked } from '../document/schema-check.ts'
import { type Kind as DocumentKind, readDocument } from '../document/yaml-or-json.ts'
import { type SettingsInput, settingsSchema, toLayer } from './settings-file-schema.ts'

const KIND: DocumentKind = {
  called: 'a settings file',
  hint: 'remove it or write a setting',
  mustHave: null,
  maxBytes: 1 << 20,
}

export function readSettings(text: string, file: string): Result<LayerSettings> {
  // A file with every line commented out is fine here.
  if (text.length <= KIND.maxBytes && text.split('\n').every((line) => /^\s*(#|$)/.test(line))) return ok({})
  const read = readDocument(text, file, KIND)
  if (!read.ok) return read
  const { value } = read.value
  const findings = newFindings(value)
  const input = checked(settingsSchema, value, () => [], findings)
  if (input === null || findings.errors.length > 0) return refuse(...errorsOf(findings, read.value, file))
  return ok(toLayer(input))
}

/**
 * The variables of the environment. Variables that describe an attempt (`ESPALIER_RUN`, `ESPALIER_PORT` …) are never settings.
 */
export const SETTING_VARIABLES: ReadonlyMap<string, { path: string[]; kind: SettingKind }> = new Map(
  allSettings(SETTINGS).flatMap(([path, { kind, fileOnly }]) => {
    const words = path.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase())
    return fileOnly ? [] : [[`ESPALIER_${words.join('_')}`, { path, kind }]]
  }),
)

/** An empty variable counts as unset, except for a command: a person who sets that wants a command as agent. */
export function settingsFromEnv(env: Readonly<Record<string, string | undefined>>): Result<LayerSettings> {
  const problems: Problem[] = []
  let input: SettingsInput = {}
  for (const [name, { path, kind }] of SETTING_VARIABLES) {
    const text = env[name]?.trim()
    if (text === '' && name === 'ESPALIER_COMMAND') problems.push(problem(`${name} is empty`))
    if (!text) continue
    const findings = newFindings()
    const [top = '', inner] = path
    const value = fromText(text, kind)
    const one = checked(settingsSchema, { [top]: inner ? { [inner]: value } : value }, () => [], findings)
    for (const { message } of findings.errors)
      problems.push(problem(`${name}: ${typeof message === 'string' ? message : message(0)}`))
    const group = inner && {
      [top]: { ...(input as Record<string, object>)[top], ...(one as Record<string, object>)[top] },
    }
    input = { ...input, ...one, ...group }
  }
  return problems.length > 0 ? refuse(...problems) : ok(toLayer(input))
}

function fromText(text: string, { type }: SettingKind): unknown {
  if (type === 'boolean') return truth(text)
  if (type === 'usd' && text === 'none') return null
  if (type === 'usd' || type === 'slots' || type === 'whole' || type === 'number') return number(text)
  return type === 'list' ? words(text) : text
}

/** Text that is no number stays text, and the schema refuses it. */
function number(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

function truth(text: string): boolean | string {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  return /^(0|false|no|off)$/i.test(text) ? false : text
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
