/** Seeded numbers (mulberry32): the same seed gives the same run, on every machine. */
export type Random = { next(): number; int(below: number): number; chance(p: number): boolean; pick<T>(items: T[]): T }

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const int = (below: number) => Math.floor(next() * below)
  return { next, int, chance: (p) => next() < p, pick: (items) => items[int(items.length)] as (typeof items)[number] }
}
