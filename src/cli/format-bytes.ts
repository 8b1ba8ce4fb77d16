/** `0 B`, `512 B`, `1.5 MB`, `12 GB`: for people. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return `${step === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
