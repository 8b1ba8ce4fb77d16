// The flags of `run` and `resume` as a layer of settings.
import type { LayerSettings } from '../config.ts'

export type SettingsFlags = {
  maxConcurrency?: number
  maxPerEpic?: number
  schedule?: 'eager' | 'waves'
  agent?: string
  command?: string
  strict?: boolean
  retries?: number
  /** In ms. */
  timeout?: number
}

export function settingsFromFlags({ timeout, ...flags }: SettingsFlags): LayerSettings {
  const { maxConcurrency, maxPerEpic, schedule, command, strict, retries } = flags
  // Whoever gives a command wants it used.
  const agent = flags.agent ?? (command === undefined ? undefined : 'command')
  const all = { maxConcurrency, maxPerEpic, schedule, agent, command, strict, retries, timeoutMs: timeout }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
