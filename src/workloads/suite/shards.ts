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
 * As many parts as workers where the times are known: each part costs the start of a runner. Where most are not, several
 * for each worker, so that a part that turns out long is not waited for at the end.
 */
export function autoShards(files: readonly string[], times: ReadonlyMap<string, number>, workers: number): number {
  const known = files.filter((file) => times.has(file)).length
  const isKnown = known >= files.length * MOSTLY
  return Math.max(1, Math.min(files.length, isKnown ? workers : workers * PARTS_PER_WORKER))
}

/**
 * What the files of a part took, so that together they took as long as it did: what no test was measured in (a process that
 * starts, modules that load) is every file's in equal shares; where several ran at a time, each took the less.
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
