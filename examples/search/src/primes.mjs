// All primes below a limit, the slow way. `step` is called for every division.
const WARM_UP = 20

export function primes(limit, step) {
  for (let n = 0; n < WARM_UP; n++) step()
  const found = []
  for (let n = 2; n < limit; n++) {
    let isPrime = true
    for (let d = 2; d < n; d++) {
      step()
      if (n % d === 0) {
        isPrime = false
        break
      }
    }
    if (isPrime) found.push(n)
  }
  return found
}
