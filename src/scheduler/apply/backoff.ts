// When a failed task is tried again: exponential, with jitter so that tasks that failed together do not come back
// together. The jitter is drawn from the run's seed, so a replay gives the same times.

export function backoffMs(
  limits: { initialMs: number; maxMs: number },
  seed: number,
  task: string,
  failures: number,
): number {
  const full = Math.min(limits.maxMs, limits.initialMs * 2 ** Math.min(failures - 1, 30))
  return Math.round(full * (0.5 + 0.5 * fraction(seed, `${task}#${failures}`)))
}

/** A number in [0, 1) that depends on nothing but its arguments (FNV-1a, then a finalizer that mixes all bits). */
function fraction(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
