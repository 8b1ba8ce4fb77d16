// The score: how many divisions it takes.
import { primes } from './src/primes.mjs'

let steps = 0
const began = performance.now()
primes(2_000, () => steps++)
const ms = Math.round((performance.now() - began) * 10) / 10
console.log(JSON.stringify({ steps, ms }))
