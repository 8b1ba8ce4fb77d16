// npm run simulate -- --seeds N --from S: seeded runs of the pure core; a seed that fails replays exactly.
import { simulate } from '../test/simulation/world.ts'
import { numbersFromFlags } from './numbers-from-flags.ts'

const { seeds, from } = numbersFromFlags('simulate', { seeds: 10_000, from: 1 })
const TOLD = 10_000
const began = performance.now()
let events = 0
for (let seed = from; seed < from + seeds; seed++) {
  try {
    events += simulate(seed).journal.length
    if ((seed - from) % TOLD === TOLD - 1) console.error(`${seed - from + 1} good ones`)
  } catch (error) {
    console.error(`seed ${seed} failed after ${seed - from} good ones:`, error)
    process.exit(1)
  }
}
const seconds = (performance.now() - began) / 1000
console.log(`${seeds} seeds from ${from}: 0 violations, ${events} events, ${seconds.toFixed(1)} s`)
