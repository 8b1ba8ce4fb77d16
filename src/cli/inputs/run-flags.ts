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

export function settingsFromFlags({ timeout, ...flags }: SettingsFlags): LayerSettings {
  const { workersOnly, maxPerEpic, schedule, command, strict, retries, onBudget, strictBudget } = flags
  const budgetUsd = flags.budgetUsd === 'none' ? null : flags.budgetUsd
  // --command implies its agent.
  const agent = flags.agent ?? (command === undefined ? undefined : 'command')
  const run = {
    ...concurrencyOf(flags.maxConcurrency),
    workersOnly,
    maxPerEpic,
    schedule,
    strict,
    budgetUsd,
    onBudget,
    strictBudget,
  }
  const writeBack = flags.writeBack === false ? false : undefined
  const all = { ...run, agent, command, retries, timeoutMs: timeout, writeBack }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Twice as many as processors at most: many commands wait more than they compute. */
function concurrencyOf(said: SettingsFlags['maxConcurrency']): LayerSettings {
  if (said === undefined) return {}
  if (said !== 'auto') return { maxConcurrency: said, autoConcurrency: false }
  return { maxConcurrency: 2 * availableParallelism(), autoConcurrency: true }
}
