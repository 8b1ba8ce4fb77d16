// `model: auto`: chooses the model for a task. An agent's models are tiers, the cheapest first. A failed task is retried one
// tier up, so the choice is where that ladder begins:
//
//   success of a rung     the share of similar tasks that the model did; with few of them, an estimate from its tier and the
//                         complexity of the task
//   success of a ladder   the success of its last rung. Not derived from the failures before it: a task that one
//                         model cannot do is probably hard for the next one too, so tries are not independent.
//   cost of a ladder      the cost of its first rung, plus that of each further one by the chance that it is needed
//
// The choice is the cheapest ladder whose success is within `tolerance` of the best one's. When the budget runs short the
// tolerance grows. Pure and deterministic: the same past gives the same choice.

import type { Price } from '../agents/facts.ts'
import type { Experience, Looks, ModelChoice } from '../learning-records.ts'
import { costOf, NO_USAGE } from '../usage.ts'
import { similarTo } from './similar.ts'

export type Tier = { model: string; price: Price }

type ChoiceFacts = {
  looks: Looks
  /** From the cheapest to the dearest; at least one. */
  tiers: readonly Tier[]
  past: readonly Experience[]
  tries: number
  /** The tier of the try that failed before this one; null: it is the first. */
  after: number | null
  /** Remaining budget per remaining task; null: no budget. */
  budgetUsd: number | null
  tolerance: number
}

export function chooseModel(facts: ChoiceFacts): ModelChoice {
  const { tiers, after } = facts
  const rungs = judged(facts)
  if (after !== null) {
    const next = Math.min(after + 1, tiers.length - 1)
    const same = next === after
    const why = same ? 'it failed before, and there is no stronger model' : `${tiers[after]?.model} failed before`
    return chosen(facts, rungs, next, why)
  }
  const ladders = rungs.map((_, start) => ladder(rungs, start, facts.tries))
  const best = Math.max(...ladders.map(({ success }) => success))
  const strained = strain(facts.budgetUsd, ladders, best - facts.tolerance)
  const enough = best - facts.tolerance - strained
  const start = cheapest(ladders, enough)
  return chosen(facts, rungs, start, reason(facts, rungs, start, strained))
}

type Rung = { success: number; costUsd: number; tried: number; succeeded: number }

function judged({ looks, tiers, past }: ChoiceFacts): Rung[] {
  const models = tiers.map(({ model }) => model)
  const own = tiers.map(() => ({ tried: 0, succeeded: 0, did: 0, failed: 0, paid: 0, costUsd: 0 }))
  for (const { weight, one } of similarTo(looks, past)) {
    const model = models.indexOf(one.model ?? '')
    const its = own[model]
    if (!its) continue
    // A success counts for stronger models too, a failure for weaker ones.
    own.forEach((other, tier) => {
      if (one.succeeded && tier >= model) other.did += weight
      if (!one.succeeded && tier <= model) other.failed += weight
    })
    if (weight > ALIKE) its.tried++
    if (weight > ALIKE && one.succeeded) its.succeeded++
    if (one.costUsd === null) continue
    its.paid += weight
    its.costUsd += weight * one.costUsd
  }
  const listed = tiers.map(({ price }) => listedCost(looks, price))
  // Ratio of real cost to list price in this project, over all models.
  let [seen, dearer] = [LIST_TRUST, LIST_TRUST]
  own.forEach(({ paid, costUsd }, tier) => {
    seen += paid
    dearer += listed[tier] ? costUsd / listed[tier] : paid
  })
  let best = 0
  return own.map(({ tried, succeeded, did, failed, paid, costUsd }, tier) => {
    // The first guess: the weakest tier can do easy tasks, the strongest all.
    const guess = FIRST_GUESS * (1 - looks.complexity ** 2 * (1 - tier / Math.max(1, tiers.length - 1)))
    // A stronger tier never counts as worse: such a difference would be chance.
    best = Math.max(best, (did + guess) / (did + failed + FIRST_GUESS))
    const expected = ((listed[tier] as number) * dearer) / seen
    return { success: best, costUsd: (costUsd + LIST_TRUST * expected) / (paid + LIST_TRUST), tried, succeeded }
  })
}

/** The first guess counts as much as this many attempts at the same task. */
const FIRST_GUESS = 0.2

/** Price of an hour of work by the price list, higher for a complex task. */
function listedCost({ complexity }: Looks, price: Price): number {
  const usual = { ...NO_USAGE, inputTokens: 80_000, cacheReadTokens: 320_000, outputTokens: 12_000 }
  return (0.5 + complexity) * costOf(usual, price)
}

/** Number of attempts that weigh as much as the price list. */
const LIST_TRUST = 1

type Ladder = { success: number; costUsd: number }

function ladder(rungs: readonly Rung[], start: number, tries: number): Ladder {
  let [success, costUsd, needed] = [0, 0, 1]
  for (const rung of rungs.slice(start, start + Math.max(1, tries))) {
    costUsd += needed * rung.costUsd
    needed = 1 - rung.success
    success = rung.success
  }
  return { success, costUsd }
}

function cheapest(ladders: readonly Ladder[], enough: number): number {
  const isCheaper = (one: Ladder, other: number) => one.costUsd <= (ladders[other] as Ladder).costUsd
  return ladders.reduceRight(
    (found, one, start) => (one.success >= enough && isCheaper(one, found) ? start : found),
    ladders.length - 1,
  )
}

/** The amount by which the wanted success is lowered so that the budget lasts. */
function strain(budgetUsd: number | null, ladders: readonly Ladder[], enough: number): number {
  if (budgetUsd === null) return 0
  const wanted = (ladders[cheapest(ladders, enough)] as Ladder).costUsd
  return wanted <= budgetUsd ? 0 : Math.min(1, 1 - budgetUsd / wanted)
}

function chosen({ tiers }: ChoiceFacts, rungs: readonly Rung[], tier: number, why: string): ModelChoice {
  const { success, costUsd: expectedUsd } = rungs[tier] as Rung
  const { costUsd: dearestUsd } = rungs.at(-1) as Rung
  const { input, output, cacheRead = input, cacheWrite = input } = (tiers.at(-1) as Tier).price
  return {
    ...{ model: (tiers[tier] as Tier).model, tier: tier + 1, tiers: tiers.length, why, success },
    ...{ expectedUsd, dearestUsd, dearestPrice: { input, output, cacheRead, cacheWrite } },
  }
}

function reason({ looks, tiers, tries }: ChoiceFacts, rungs: readonly Rung[], start: number, strained: number): string {
  const { tried, succeeded, success } = rungs[start] as Rung
  const kind = `${looks.domain}, complexity ${looks.complexity.toFixed(2)}`
  const seen = tried === 0 ? 'nothing is known of it on such tasks yet' : `it did ${succeeded} of ${tried} such tasks`
  const next = start < tiers.length - 1 && tries > 1 ? `; if it fails, ${tiers[start + 1]?.model} is next` : ''
  const short = strained > 0 ? '; the budget is short' : ''
  return `${kind}: ${seen}, ${Math.round(success * 100)} % expected${next}${short}`
}

/** Similarity from which an attempt counts as `such a task` in explanations. */
const ALIKE = 0.1
