// Promotion of a depth: a pure function of the evals of that depth and of the nodes that were there before it: no time, no
// worker, no order of completion.
//
// Properties
// - What is promoted is a tree of files. It stands where the best candidate with that tree stands; the others are its duplicates.
// - Candidates are ranked by score, then by the fixed order of the evals (`compareEvals`). The first `beam` trees are promoted.
// - A candidate counts if it has a score, its tree is new, and it is better than its parent by more than the noise that was measured
//   and by at least `minImprovement`.
// - *Certain before all are done*: while r evals are open, the best beam − r trees are promoted whatever those bring. Each of them
//   may come to a new tree that pushes the others down by one, or to one that is there, which can only rise by that.
import type { Search } from '../../search-definition.ts'

/** Place of an eval in the fixed order of its depth: by its parent node, then by its idea. */
type NodePlace = { parent: string; number: number }

export function compareEvals(a: NodePlace, b: NodePlace): number {
  if (a.parent !== b.parent) return a.parent < b.parent ? -1 : 1
  return a.number - b.number
}

export type Measured = { score: number; spread: number; tree: string }

export type Outcome =
  | { state: 'open' }
  /** No score: it failed, its gates did not pass, or it was cancelled. */
  | { state: 'failed' }
  | ({ state: 'scored' } & Measured)

/** `from`: what the node it starts from was measured as. */
type Candidate = NodePlace & { id: string; from: Measured; outcome: Outcome }

type Rules = {
  goal: 'max' | 'min'
  beam: number
  minImprovement: Search['minImprovement']
  /** The node with that tree, of an earlier depth. */
  nodeOf: (tree: string) => string | undefined
}

/** `rank`: among the trees that count, from 1. */
export type Standing =
  | { status: 'open' }
  | { status: 'promoted'; rank: number }
  | { status: 'failed' }
  /** Same tree as its parent. */
  | { status: 'unchanged' }
  /** `of`: an eval of the same depth, or a node of an earlier one. */
  | { status: 'duplicate'; of: string }
  | { status: 'no-improvement'; gain: number; needed: number; noise: number }
  | { status: 'outranked'; rank: number }
  /** Counts; open evals decide. */
  | { status: 'undecided'; rank: number }

/** `evals`: all of one depth, in any order. */
export function promote(rules: Rules, evals: readonly Candidate[]): Map<string, Standing> {
  const standings = new Map<string, Standing>()
  const scored: Scored[] = []
  let open = 0
  for (const { outcome, ...one } of evals) {
    if (outcome.state === 'open') open++
    if (outcome.state === 'scored') scored.push({ ...one, outcome })
    else standings.set(one.id, { status: outcome.state })
  }
  const sign = rules.goal === 'max' ? -1 : 1
  scored.sort((a, b) => sign * (a.outcome.score - b.outcome.score) || compareEvals(a, b))
  const alone = new Map(scored.map((one) => [one.id, whyNot(rules, one)]))
  // First candidate of each tree, best first; those that do not count come last.
  const first = new Map<string, string>()
  for (const counts of [true, false])
    for (const { id, outcome } of scored)
      if (!first.has(outcome.tree) && (alone.get(id) === null) === counts) first.set(outcome.tree, id)
  let rank = 0
  for (const { id, outcome } of scored) {
    const one = first.get(outcome.tree) as string
    const why = one === id ? alone.get(id) : (known(alone.get(id)) ?? { status: 'duplicate' as const, of: one })
    standings.set(id, why ?? ranked(++rank, rules.beam, open))
  }
  return standings
}

type Scored = Omit<Candidate, 'outcome'> & { outcome: Measured }

function ranked(rank: number, beam: number, open: number): Standing {
  if (rank <= beam - open) return { status: 'promoted', rank }
  return { status: open > 0 ? 'undecided' : 'outranked', rank }
}

/** A standing that says more than being a duplicate. */
function known(standing: Standing | null | undefined): Standing | null {
  return standing && standing.status !== 'no-improvement' ? standing : null
}

/** Why it does not count; null where it does. */
function whyNot(rules: Rules, { outcome, from }: Scored): Standing | null {
  if (outcome.tree === from.tree) return { status: 'unchanged' }
  const node = rules.nodeOf(outcome.tree)
  if (node !== undefined) return { status: 'duplicate', of: node }
  const { gain, needed, noise } = improvement(rules, outcome, from)
  return gain > noise && gain >= needed ? null : { status: 'no-improvement', gain, needed, noise }
}

/** `noise`: the larger of the two spreads. A gain inside of it is no gain. */
export function improvement(
  { goal, minImprovement: { amount, unit } }: Pick<Rules, 'goal' | 'minImprovement'>,
  own: Pick<Measured, 'score' | 'spread'>,
  parent: Pick<Measured, 'score' | 'spread'>,
): { gain: number; needed: number; noise: number } {
  const gain = goal === 'max' ? own.score - parent.score : parent.score - own.score
  const needed = unit === 'percent' ? (Math.abs(parent.score) * amount) / 100 : amount
  return { gain, needed, noise: Math.max(own.spread, parent.spread) }
}

/** From the lowest to the highest measurement. */
export function spreadOf(samples: readonly number[] = []): number {
  return samples.length < 2 ? 0 : Math.max(...samples) - Math.min(...samples)
}
