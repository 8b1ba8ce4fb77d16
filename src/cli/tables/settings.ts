// A setting as it is written in a file: `timeout 30m`. Internally times are in ms, which only --json shows.

/** `settingRow('backoff.initialMs', 2000)` is `{ name: 'backoff.initial', value: '2s' }`. */
export function settingRow(name: string, value: unknown): { name: string; value: string } {
  if (name.endsWith('Ms') && typeof value === 'number') {
    const isOff = value === 0 && name === 'stallAfterMs'
    return { name: name.slice(0, -2), value: isOff ? 'never' : durationSetting(value) }
  }
  return { name, value: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Exact, in the largest unit that divides it, so that it can be copied into a settings file. */
function durationSetting(ms: number): string {
  const fits = UNITS.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0)
  return fits ? `${ms / fits[1]}${fits[0]}` : `${ms}ms`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const
