// Durations as people write them: `90s`, `30m`, `2h`, `1.5h`, `250ms`; a bare number is seconds. By hand: libraries accept
// many more forms, and plans must mean the same everywhere.

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function parseDuration(text: string | number): number | null {
  if (typeof text === 'number') return Number.isFinite(text) && text >= 0 ? text * 1000 : null
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?\s*$/.exec(text)
  if (!match) return null
  return Number(match[1]) * UNIT_MS[(match[2] ?? 's') as keyof typeof UNIT_MS]
}

/** `0.4s`, `12s`, `3m 05s`, `2h 10m`: for people, never parsed again. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)}s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, '0')}s`
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`
}

export function silentFor(since: number, now: number): string {
  return `silent for ${formatDuration(Math.max(0, now - since))}`
}
