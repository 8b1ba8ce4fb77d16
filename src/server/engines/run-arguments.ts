// The settings of a request as flags. Each value stands behind an equals sign: it can never be taken for a flag.
import { type Setting, valueName } from '../../setting.ts'
import { type RunSettings, requestedSettings } from '../protocol/inputs.ts'

export function settingFlags(settings: RunSettings): string[] {
  const given: Record<string, unknown> = settings
  return requestedSettings.flatMap(([name, setting]) => {
    const value = given[valueName(name, setting)]
    const [long = ''] = /--[a-z-]+/.exec(setting.flag?.name ?? '') ?? []
    if (value === undefined) return []
    return setting.kind.type === 'boolean' ? [long] : flag(long, text(value, setting))
  })
}

function text(value: unknown, { kind }: Setting): string {
  if (value === null) return 'none'
  if (kind.type === 'time') return `${Math.ceil(Number(value) / 1000)}s`
  return kind.type === 'usd' ? decimal(Number(value)) : String(value)
}

export function flag(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`${name}=${value}`]
}

/** Never as `1e-7`. */
function decimal(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}
