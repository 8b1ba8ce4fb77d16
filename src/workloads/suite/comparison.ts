// Two trees side by side: what the newer one has broken, put right, left as it was, or made slower.
import type { EntryResult } from './results.ts'

type Compared = {
  key: string
  entry: string
  base: string
  head: string
  baseMs: number | null
  headMs: number | null
}

export type Comparison = {
  newlyBroken: Compared[]
  newlyFixed: Compared[]
  stillFailing: Compared[]
  slower: Compared[]
  /** On one side it did not come to a verdict. */
  unknown: Compared[]
}

/** Smallest differences at which an entry is called slower: less is noise. */
const SLOWER = { share: 1.25, ms: 500 }

export function comparisonOf(results: readonly EntryResult[]): Comparison {
  const comparison: Comparison = { newlyBroken: [], newlyFixed: [], stillFailing: [], slower: [], unknown: [] }
  const nameOf = ({ key, repetition }: EntryResult) => (repetition === null ? key : `${key} #${repetition}`)
  const others = new Map(results.filter(({ side }) => side === 'base').map((one) => [nameOf(one), one]))
  for (const head of results) {
    const base = head.side === 'head' ? others.get(nameOf(head)) : undefined
    if (!base) continue
    const [before, after] = [isGood(base), isGood(head)]
    const compared: Compared = {
      ...{ key: nameOf(head), entry: head.entry, base: base.verdict, head: head.verdict },
      ...{ baseMs: base.durationMs, headMs: head.durationMs },
    }
    if (before === null || after === null) comparison.unknown.push(compared)
    else if (before && !after) comparison.newlyBroken.push(compared)
    else if (!before && after) comparison.newlyFixed.push(compared)
    else if (!before && !after) comparison.stillFailing.push(compared)
    else if (isSlower(base.durationMs, head.durationMs)) comparison.slower.push(compared)
  }
  return comparison
}

function isGood({ verdict }: EntryResult): boolean | null {
  if (verdict === 'passed' || verdict === 'flaky') return true
  return verdict === 'failed' || verdict === 'blocked' ? false : null
}

function isSlower(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && after > before * SLOWER.share && after - before > SLOWER.ms
}
