// How likely a model does a task, learned from one outcome after the other. A model has a skill, a task a difficulty that
// its complexity, its domain and its words add up to; it is done when skill exceeds difficulty. Each of these numbers is
// known as a mean and a variance. An outcome moves those it says something about, the uncertain ones most: a word on
// which a small model failed makes every task with that word look harder, for every model.
//
// This is Bayesian probit regression with independent weights, updated in closed form (Graepel and others, 2010,
// "Web-scale Bayesian click-through rate prediction"): one pass, no rates to tune, and the same past gives the same
// beliefs.
import type { Experience, Looks } from '../experience.ts'

type Belief = { mean: number; variance: number }
/** What is known, by name; what is missing is as at the beginning. */
export type Beliefs = Map<string, Belief>

/** `models`: from the weakest to the strongest; outcomes of others say nothing. */
export function learnFrom(beliefs: Beliefs, outcome: Experience, models: readonly string[]): void {
  const tier = models.indexOf(outcome.model ?? '')
  if (tier === -1) return
  const parts = partsOf(outcome, tier, models)
  const { mean, deviation } = sumOf(beliefs, parts)
  const sign = outcome.succeeded ? 1 : -1
  const margin = (sign * mean) / deviation
  const surprise = density(margin) / Math.max(probability(margin), 1e-9)
  const certainty = surprise * (surprise + margin)
  for (const { name, x, prior } of parts) {
    const { mean: was, variance } = beliefs.get(name) ?? prior
    beliefs.set(name, {
      mean: was + (sign * x * variance * surprise) / deviation,
      variance: variance * Math.max(0.01, 1 - (x * x * variance * certainty) / (deviation * deviation)),
    })
  }
}

/** Between 0 and 1, for every model. A stronger one is never held to be worse: that would be chance. */
export function successOf(beliefs: Beliefs, looks: Looks, models: readonly string[]): number[] {
  let best = 0
  return models.map((_, tier) => {
    const { mean, deviation } = sumOf(beliefs, partsOf(looks, tier, models))
    best = Math.max(best, probability(mean / deviation))
    return best
  })
}

type Part = { name: string; x: number; prior: Belief }

/** Skill minus difficulty, as a sum of parts. */
function partsOf({ complexity, domain, words }: Looks, tier: number, models: readonly string[]): Part[] {
  const each = words.length === 0 ? 0 : 1 / Math.sqrt(words.length)
  return [
    { name: `model ${models[tier]}`, x: 1, prior: { mean: skillAtFirst(tier, models.length), variance: 1 } },
    { name: 'complexity', x: -complexity, prior: { mean: 8, variance: 4 } },
    { name: `domain ${domain}`, x: 1, prior: { mean: 0, variance: 2 } },
    ...words.map((word) => ({ name: `word ${word}`, x: each, prior: { mean: 0, variance: 2 } })),
  ]
}

/** Before anything is known: the weakest does what looks easy, the strongest nearly all. */
function skillAtFirst(tier: number, tiers: number): number {
  const place = tiers === 1 ? 1 : tier / (tiers - 1)
  return WEAKEST + (STRONGEST - WEAKEST) * place
}

const WEAKEST = 3
const STRONGEST = 9

function sumOf(beliefs: Beliefs, parts: readonly Part[]): { mean: number; deviation: number } {
  let mean = 0
  let variance = 1
  for (const { name, x, prior } of parts) {
    const belief = beliefs.get(name) ?? prior
    mean += x * belief.mean
    variance += x * x * belief.variance
  }
  return { mean, deviation: Math.sqrt(variance) }
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
}

/** Abramowitz and Stegun 7.1.26: exact to seven digits. */
function probability(x: number): number {
  const z = Math.abs(x) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * z)
  const poly = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const erf = 1 - poly * Math.exp(-z * z)
  return x >= 0 ? 0.5 * (1 + erf) : 0.5 * (1 - erf)
}
