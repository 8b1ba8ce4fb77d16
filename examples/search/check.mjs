// The gate: whatever is done to it, it has to find the primes.
import assert from 'node:assert/strict'
import { primes } from './src/primes.mjs'

assert.deepEqual(
  primes(30, () => {}),
  [2, 3, 5, 7, 11, 13, 17, 19, 23, 29],
)
assert.equal(primes(1_000, () => {}).length, 168)
