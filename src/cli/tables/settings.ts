// A setting as its file names it: `timeout 30m`. The program counts in ms, and only --json says so.

/** `settingRow('backoff.initialMs', 2000)` is `{ name: 'backoff.initial', value: '2s' }`. */
export function settingRow(name: string, value: unknown): { name: string; value: string } {
  if (name.endsWith('Ms') && typeof value === 'number') {
    const isOff = value === 0 && (name === 'stallAfterMs' || name === 'compareEveryMs')
    return { name: name.slice(0, -2), value: isOff ? 'never' : durationSetting(value) }
  }
  return { name, value: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Exact, in the largest unit that divides it: what a settings file can take over as it is. */
function durationSetting(ms: number): string {
  const fits = UNITS.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0)
  return fits ? `${ms / fits[1]}${fits[0]}` : `${ms}ms`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const
