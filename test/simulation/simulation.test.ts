import { test } from 'node:test'
import { WHOLE } from '../rig/sampled.ts'
import { simulate } from './world.ts'

/** `npm run simulate` takes as many as you like. */
const SEEDS = WHOLE ? 500 : 250

test(`${SEEDS} seeded runs keep every invariant of the core`, () => {
  let restarts = 0
  let stallsEnded = 0
  let ejected = 0
  let limited = 0
  let outages = 0
  let fallbacks = 0
  let continued = 0
  let verifications = 0
  let waitedForClaims = 0
  let granted = 0
  let lacked = 0
  let keptOut = 0
  let refused = 0
  let resolving = 0
  let answered = 0
  let rests = 0
  let budgetRests = 0
  let budgetStops = 0
  const fleet = { lost: 0, late: 0, away: 0, rests: 0 }
  const growth = { times: 0, blocked: 0, refused: 0 }
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const world = simulate(seed)
      restarts += world.restarts
      stallsEnded += world.stallsEnded
      ejected += world.ejected
      limited += world.limits429
      outages += world.outages
      fallbacks += world.fallbacks
      continued += world.continued
      verifications += world.verifications
      waitedForClaims += world.waitedForClaims
      granted += world.asked.granted
      lacked += world.lacked
      keptOut += world.people.waits
      refused += world.asked.refused
      resolving += world.resolving
      answered += world.answered
      rests += world.rests
      budgetRests += world.budgetRests
      budgetStops += world.budgetStops
      for (const key of ['lost', 'late', 'away', 'rests'] as const) fleet[key] += world.fleet[key]
      for (const key of ['times', 'blocked', 'refused'] as const) growth[key] += world.growth[key]
    } catch (error) {
      throw new Error(`seed ${seed} failed; replay it with: npm run simulate -- --seeds 1 --from ${seed}`, {
        cause: error,
      })
    }
  }
  if (restarts < SEEDS / 10) throw new Error(`only ${restarts} restarts: the simulation does not try recovery`)
  if (limited < SEEDS / 10) throw new Error(`only ${limited} rate limits`)
  if (outages < SEEDS / 10) throw new Error(`only ${outages} providers that could not be reached, or refused a login`)
  if (continued < SEEDS / 20) throw new Error(`only ${continued} interrupted attempts were continued`)
  if (fallbacks < SEEDS / 20) throw new Error(`only ${fallbacks} attempts of a fallback`)
  if (ejected < SEEDS / 10) throw new Error(`only ${ejected} ejected of ${verifications} verifications`)
  if (Math.min(resolving, answered, rests) < SEEDS / 20)
    throw new Error(`only ${resolving} conflicts for agents, ${answered} answers of people, ${rests} rests for one`)
  if (Math.min(granted, refused) < SEEDS / 10)
    throw new Error(`agents were granted more only ${granted} times, and refused ${refused} times`)
  if (lacked < SEEDS / 10) throw new Error(`only ${lacked} waits for a resource`)
  if (keptOut < SEEDS / 10) throw new Error(`only ${keptOut} waits for what a person holds`)
  if (waitedForClaims < SEEDS / 10) throw new Error(`only ${waitedForClaims} landings waited for claims`)
  if (Math.min(budgetRests, budgetStops) < SEEDS / 10)
    throw new Error(`only ${budgetRests} rests for want of money, ${budgetStops} attempts ended for it`)
  if (Math.min(growth.times, growth.blocked, growth.refused) < SEEDS / 20)
    throw new Error(`plans grew only ${JSON.stringify(growth)} times`)
  if (Math.min(fleet.lost, fleet.late, fleet.away, fleet.rests) < SEEDS / 20)
    throw new Error(`workers did too little: ${JSON.stringify(fleet)}`)
  if (stallsEnded < SEEDS / 10) throw new Error(`only ${stallsEnded} attempts were ended because they had stalled`)
})
