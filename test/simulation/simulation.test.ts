import { test } from 'node:test'
import { simulate } from './world.ts'

const SEEDS = 2000

test(`${SEEDS} seeded runs keep every invariant of the core`, () => {
  let restarts = 0
  let stallsEnded = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const world = simulate(seed)
      restarts += world.restarts
      stallsEnded += world.stallsEnded
    } catch (error) {
      throw new Error(`seed ${seed} failed; replay it with: npm run simulate -- --seeds 1 --from ${seed}`, {
        cause: error,
      })
    }
  }
  if (restarts < SEEDS / 10) throw new Error(`only ${restarts} restarts: the simulation does not try recovery`)
  if (stallsEnded < SEEDS / 10) throw new Error(`only ${stallsEnded} attempts were ended because they had stalled`)
})
