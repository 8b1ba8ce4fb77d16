// Matrices are long: by default a test takes some of their cases, others every time. `WHOLE=1` takes all of them, and
// `SEED=7` those of an earlier run, which printed its seed.
import { randomInt } from 'node:crypto'

export const WHOLE = Boolean(process.env.WHOLE)

const SEED = process.env.SEED === undefined ? randomInt(2 ** 31) : Number(process.env.SEED)

/** `size` of them, in their order. */
export function sampled<T>(what: string, cases: readonly T[], size: number): T[] {
  if (WHOLE || size >= cases.length) return [...cases]
  process.stdout.write(`# ${size} of ${cases.length} ${what}; SEED=${SEED} takes these again, WHOLE=1 all\n`)
  const random = seeded(SEED)
  const ranked = cases.map((_, index) => ({ index, rank: random() })).sort((a, b) => a.rank - b.rank)
  const chosen = new Set(ranked.slice(0, size).map(({ index }) => index))
  return cases.filter((_, index) => chosen.has(index))
}

/** Numbers below 1, the same for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
