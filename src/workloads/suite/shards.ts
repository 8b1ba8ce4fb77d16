// Test files split over workers, so that all of them are done at the same time: the longest file goes to the part that has
// the least so far. Of a file that nobody has measured, the median of the others is assumed.

/** `count` parts at most, none of them empty; the longest part first, files in the order of their names. */
export function splitFiles(
  files: readonly string[],
  times: ReadonlyMap<string, number>,
  count: number,
): { files: string[]; ms: number }[] {
  const known = files.flatMap((file) => times.get(file) ?? []).sort((a, b) => a - b)
  const median = known[known.length >> 1] ?? UNKNOWN_MS
  const timeOf = (file: string) => times.get(file) ?? median
  const parts = Array.from({ length: Math.min(count, files.length) }, () => ({ files: [] as string[], ms: 0 }))
  const longestFirst = [...files].sort((a, b) => timeOf(b) - timeOf(a) || (a < b ? -1 : 1))
  for (const file of longestFirst) {
    const least = parts.reduce((best, part) => (part.ms < best.ms ? part : best))
    least.files.push(file)
    least.ms += timeOf(file)
  }
  for (const part of parts) part.files.sort()
  return parts.sort((a, b) => b.ms - a.ms)
}

/**
 * Splits files into as many parts as workers if times are known: each part costs the start of a runner. If most are
 * unknown, into several parts per worker, so that a long one is not waited for at the end.
 */
export function autoShards(files: readonly string[], times: ReadonlyMap<string, number>, workers: number): number {
  const known = files.filter((file) => times.has(file)).length
  const isKnown = known >= files.length * MOSTLY
  return Math.max(1, Math.min(files.length, isKnown ? workers : workers * PARTS_PER_WORKER))
}

/**
 * Distributes the time of a part over its files: time without a test (process start, module loading) in equal shares;
 * less each if several ran at a time.
 */
export function shareOut(
  files: readonly string[],
  measured: ReadonlyMap<string, number>,
  tookMs: number,
): Map<string, number> {
  const sum = files.reduce((ms, file) => ms + (measured.get(file) ?? 0), 0)
  const each = Math.max(0, tookMs - sum) / files.length
  const factor = sum > tookMs ? tookMs / sum : 1
  return new Map(files.map((file) => [file, (measured.get(file) ?? 0) * factor + each]))
}

const MOSTLY = 0.8
const PARTS_PER_WORKER = 3
const UNKNOWN_MS = 1_000
