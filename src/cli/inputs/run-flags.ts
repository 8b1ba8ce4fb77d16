// The flags that are settings, as a layer of settings.
import { availableParallelism } from 'node:os'
import { type LayerSettings, SETTINGS } from '../../config.ts'
import { type NamesWith, type Setting, settingsWith, valueName } from '../../setting.ts'

type Table = typeof SETTINGS

/** Settings that are flags. Numbers may be `auto` (as many as the machine can take) or `none` (no limit). */
export type SettingsFlags = { [N in NamesWith<Table, 'flag'>]?: FlagValue<Table[N]> }

type FlagValue<S> =
  S extends Setting<infer K, infer V>
    ? K extends { type: 'slots' }
      ? number | 'auto'
      : K extends { type: 'usd' }
        ? number | 'none'
        : NonNullable<V>
    : never

export function settingsFromFlags(flags: SettingsFlags): LayerSettings {
  const given = Object.entries(settingsWith(SETTINGS, 'flag')).flatMap(([name, setting]: [string, Setting]) => {
    const all: Record<string, unknown> = flags
    const value = all[name] ?? all[setting.flag?.inSearch ?? name]
    // The parser sets true for a `--no-…` flag that was not given.
    if (value === undefined || (value === true && setting.fallback === true)) return []
    return [[valueName(name, setting), value === 'none' && setting.kind.type === 'usd' ? null : value]]
  })
  const layer: LayerSettings = Object.fromEntries(given)
  // --command implies its agent.
  const agent = layer.command === undefined ? {} : { agent: 'command' }
  return { ...agent, ...layer, ...concurrencyOf(flags) }
}

/** `auto` is at most twice the number of processors: many commands wait more than they compute. */
function concurrencyOf(flags: SettingsFlags & { maxParallelEvals?: number }): LayerSettings {
  const number = flags.maxConcurrency ?? flags.maxParallelEvals
  if (number === undefined) return {}
  if (number !== 'auto') return { maxConcurrency: number, autoConcurrency: false }
  return { maxConcurrency: 2 * availableParallelism(), autoConcurrency: true }
}
