// Settings from a file or from the environment: one layer each, checked like a plan.
import type { LayerSettings } from '../../config.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { pathsOfNul } from '../document/control-character.ts'
import { type Kind, readDocument } from '../document/document.ts'
import { addError, errorsOf, newFindings } from '../document/findings.ts'
import { checked } from '../document/schema-check.ts'
import { type SettingsInput, settingsSchema, toLayer } from './schema.ts'

const KIND: Kind = {
  called: 'a settings file',
  hint: 'remove it or write a setting',
  mustHave: null,
  maxBytes: 1 << 20,
}

export function readSettings(text: string, file: string): Result<LayerSettings> {
  // A file with every line commented out says nothing, which is fine here.
  if (text.length <= KIND.maxBytes && text.split('\n').every((line) => /^\s*(#|$)/.test(line))) return ok({})
  const read = readDocument(text, file, KIND)
  if (!read.ok) return read
  const { value } = read.value
  const findings = newFindings()
  for (const path of pathsOfNul(value)) addError(findings, path, 'this text holds a NUL character')
  const input = checked(settingsSchema, value, () => [], findings)
  if (input === null || findings.errors.length > 0) return refuse(...errorsOf(findings, read.value, file))
  return ok(toLayer(input))
}

/** Each by one variable. What an attempt is told about itself (`ESPALIER_RUN`, `ESPALIER_PORT` …) is never a setting. */
export const SETTING_VARIABLES = {
  ESPALIER_STATE_DIR: (text) => ({ stateDir: text }),
  ESPALIER_STORE: (text) => ({ store: text }),
  ESPALIER_ENGINE_REPOSITORY: (text) => ({ engineRepository: text }),
  ESPALIER_MAX_CONCURRENCY: (text) => ({ maxConcurrency: number(text) }),
  ESPALIER_LABELS: (text) => ({ labels: words(text) }),
  ESPALIER_WORKERS_ONLY: (text) => ({ workersOnly: truth(text) }),
  ESPALIER_MAX_PER_EPIC: (text) => ({ maxPerEpic: number(text) }),
  ESPALIER_SCHEDULE: (text) => ({ schedule: text }),
  ESPALIER_STRICT: (text) => ({ strict: truth(text) }),
  ESPALIER_AGENT: (text) => ({ agent: text }),
  ESPALIER_COMMAND: (text) => ({ command: text }),
  ESPALIER_RETRIES: (text) => ({ retries: number(text) }),
  ESPALIER_ITERATIONS: (text) => ({ iterations: number(text) }),
  ESPALIER_TIMEOUT: (text) => ({ timeout: text }),
  ESPALIER_STALL_AFTER: (text) => ({ stallAfter: text }),
  ESPALIER_ON_STALL: (text) => ({ onStall: text }),
  ESPALIER_BUDGET_USD: (text) => ({ budgetUsd: text === 'none' ? null : number(text) }),
  ESPALIER_ON_BUDGET: (text) => ({ onBudget: text }),
  ESPALIER_STRICT_BUDGET: (text) => ({ strictBudget: truth(text) }),
  ESPALIER_CLAIMS: (text) => ({ claims: text }),
  ESPALIER_BACKOFF_INITIAL: (text) => ({ backoff: { initial: text } }),
  ESPALIER_BACKOFF_MAX: (text) => ({ backoff: { max: text } }),
  ESPALIER_MCP: (text) => ({ mcp: truth(text) }),
  ESPALIER_WRITE_BACK: (text) => ({ writeBack: truth(text) }),
  ESPALIER_GRACE: (text) => ({ grace: text }),
  ESPALIER_KEEP: (text) => ({ keep: words(text) }),
  ESPALIER_SETUP: (text) => ({ setup: text }),
  ESPALIER_ENV_ALLOW: (text) => ({ envAllow: words(text) }),
  ESPALIER_LANDING_VERIFY: (text) => ({ landing: { verify: text } }),
  ESPALIER_LANDING_TIMEOUT: (text) => ({ landing: { timeout: text } }),
  ESPALIER_LANDING_WINDOW: (text) => ({ landing: { window: number(text) } }),
  ESPALIER_LANDING_BATCH: (text) => ({ landing: { batch: number(text) } }),
  ESPALIER_LANDING_ALLGREEN: (text) => ({ landing: { allgreen: truth(text) } }),
  ESPALIER_LANDING_RERUNS: (text) => ({ landing: { reruns: number(text) } }),
  ESPALIER_LANDING_MERGE: (text) => ({ landing: { merge: text } }),
  ESPALIER_LANDING_SIGNOFF: (text) => ({ landing: { signoff: truth(text) } }),
  ESPALIER_LANDING_CONFLICT: (text) => ({ landing: { conflict: text } }),
} satisfies Record<string, (text: string) => { [K in keyof SettingsInput]?: unknown }>

/** An empty variable counts as none, except for a command: whoever sets one means to have an agent. */
export function settingsFromEnv(env: Readonly<Record<string, string | undefined>>): Result<LayerSettings> {
  const problems: Problem[] = []
  let layer: LayerSettings = {}
  for (const [name, toInput] of Object.entries(SETTING_VARIABLES)) {
    const text = env[name]?.trim()
    if (text === '' && name === 'ESPALIER_COMMAND') problems.push(problem(`${name} is empty`))
    if (!text) continue
    const findings = newFindings()
    const input = checked(settingsSchema, toInput(text), () => [], findings)
    for (const { message } of findings.errors)
      problems.push(problem(`${name}: ${typeof message === 'string' ? message : message(0)}`))
    const said = toLayer(input ?? {})
    const groups = {
      ...(said.backoff && { backoff: { ...layer.backoff, ...said.backoff } }),
      ...(said.landing && { landing: { ...layer.landing, ...said.landing } }),
    }
    layer = { ...layer, ...said, ...groups }
  }
  return problems.length > 0 ? refuse(...problems) : ok(layer)
}

/** What is no number stays a text, and the schema says so. */
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
