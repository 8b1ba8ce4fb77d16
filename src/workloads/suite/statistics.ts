// Honest statistics of results that vary.

/** The interval that holds the true rate 95 times of 100 (Wilson), also for few looks and for 0 or all of them. */
export function wilsonInterval(successes: number, total: number): { low: number; high: number } {
  if (total === 0) return { low: 0, high: 1 }
  const z = 1.959_964
  const rate = successes / total
  const scale = 1 + z ** 2 / total
  const middle = rate + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2))
  return { low: Math.max(0, (middle - spread) / scale), high: Math.min(1, (middle + spread) / scale) }
}

/** Probability that at least one of k tries passes, when c of n have: 1 - C(n-c, k) / C(n, k). */
export function passAtK(n: number, c: number, k: number): number {
  if (k > n) return Number.NaN
  if (n - c < k) return 1
  let none = 1
  for (let i = n - c + 1; i <= n; i++) none *= 1 - k / i
  return 1 - none
}

/** Result of an entry in one run: its tree, and the end of each try. */
export type Look = { tree: string; tries: readonly boolean[] }

/**
 * Flaky is what both failed and passed on one tree: the same code cannot do both. An entry that passes on one commit and
 * fails on the next has been broken, which is another matter. The newest looks count.
 */
export function stabilityOf(looks: readonly Look[]) {
  const trees = new Map<string, { passed: number; failed: number }>()
  const recent = looks.slice(-LOOKS)
  for (const { tree, tries } of recent) {
    const seen = trees.get(tree) ?? { passed: 0, failed: 0 }
    for (const passed of tries) seen[passed ? 'passed' : 'failed']++
    trees.set(tree, seen)
  }
  const all = [...trees.values()]
  const mixed = all.filter(({ passed, failed }) => passed > 0 && failed > 0)
  const last = trees.get(recent.at(-1)?.tree ?? '')
  const kind: 'stable' | 'flaky' | 'broken' | 'unknown' =
    mixed.length > 0
      ? 'flaky'
      : !last || last.passed + last.failed === 0
        ? 'unknown'
        : last.passed > 0
          ? 'stable'
          : 'broken'
  // A tree on which it always failed has broken it: that says nothing of how often it fails by chance.
  const counted = kind === 'broken' ? all : all.filter(({ passed }) => passed > 0)
  const failed = counted.reduce((sum, one) => sum + one.failed, 0)
  const tries = counted.reduce((sum, one) => sum + one.failed + one.passed, 0)
  const interval = wilsonInterval(failed, tries)
  return { kind, failureRate: tries === 0 ? 0 : failed / tries, interval, tries }
}

const LOOKS = 200
