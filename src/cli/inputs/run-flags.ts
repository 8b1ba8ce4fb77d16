// The flags of `run` and `resume` as a layer of settings.
import { availableParallelism } from 'node:os'
import type { OnBudget } from '../../budget.ts'
import type { LayerSettings } from '../../config.ts'

export type SettingsFlags = {
  /** `auto`: as many as the machine carries. */
  maxConcurrency?: number | 'auto'
  workersOnly?: boolean
  maxPerEpic?: number
  schedule?: 'eager' | 'waves'
  agent?: string
  command?: string
  strict?: boolean
  retries?: number
  timeout?: number
  /** `none`: no limit. */
  budgetUsd?: number | 'none'
  onBudget?: OnBudget
  strictBudget?: boolean
  /** False where `--no-write-back` was given, and true where nothing was. */
  writeBack?: boolean
}

/** What `search run` calls the same. */
type SearchNames = {
  maxParallelEvals?: number
  maxParallelPerNode?: number
  evalRetries?: number
  /** In ms. */
  evalTimeoutSeconds?: number
  strictFail?: boolean
}

export function settingsFromFlags(flags: SettingsFlags & SearchNames): LayerSettings {
  const { workersOnly, schedule, command, onBudget, strictBudget } = flags
  const all = {
    ...concurrencyOf(flags.maxConcurrency ?? flags.maxParallelEvals),
    workersOnly,
    maxPerEpic: flags.maxPerEpic ?? flags.maxParallelPerNode,
    schedule,
    strict: flags.strict ?? flags.strictFail,
    budgetUsd: flags.budgetUsd === 'none' ? null : flags.budgetUsd,
    onBudget,
    strictBudget,
    // --command implies its agent.
    agent: flags.agent ?? (command === undefined ? undefined : 'command'),
    command,
    retries: flags.retries ?? flags.evalRetries,
    timeoutMs: flags.timeout ?? flags.evalTimeoutSeconds,
    writeBack: flags.writeBack === false ? false : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Twice as many as processors at most: many commands wait more than they compute. */
function concurrencyOf(said: SettingsFlags['maxConcurrency']): LayerSettings {
  if (said === undefined) return {}
  if (said !== 'auto') return { maxConcurrency: said, autoConcurrency: false }
  return { maxConcurrency: 2 * availableParallelism(), autoConcurrency: true }
}
