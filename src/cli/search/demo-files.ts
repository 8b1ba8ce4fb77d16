// What `espalier demo search` works on: the files of examples/search, which a test compares with these.

export const DEMO_SEARCH_FILES: Record<string, string> = {
  'src/primes.mjs': `// All primes below a limit, the slow way. \`step\` is called for every division.
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
`,
  'check.mjs': `// The gate: whatever is done to it, it has to find the primes.
import assert from 'node:assert/strict'
import { primes } from './src/primes.mjs'

assert.deepEqual(
  primes(30, () => {}),
  [2, 3, 5, 7, 11, 13, 17, 19, 23, 29],
)
assert.equal(primes(1_000, () => {}).length, 168)
`,
  'score.mjs': `// The score: how many divisions it takes.
import { primes } from './src/primes.mjs'

let steps = 0
const began = performance.now()
primes(2_000, () => steps++)
const ms = Math.round((performance.now() - began) * 10) / 10
console.log(JSON.stringify({ steps, ms }))
`,
  'search.yaml': `objective: find the primes with fewer divisions
ideas: ideas/*.sh
evaluate:
  - name: implement
    run: sh "$ESPALIER_IDEA"
gates: [node check.mjs]
score:
  run: node score.mjs
  keys: [steps]
  goal: min
# Divisions are the same each time, but for the idea that leaves it to chance.
repeats: 5
protected: [check.mjs, score.mjs, search.yaml]
beam: 2
depth: 2
retries: 0
`,
  'ideas/1-stop-early.sh': `# A number has no divisor above its square root that it has not one below it for.
sed 's/d < n; d++/d * d <= n; d++/' src/primes.mjs > new.mjs && mv new.mjs src/primes.mjs
`,
  'ideas/2-skip-even.sh': `# No even number but 2 is prime.
sed 's/let n = 2; n < limit; n++/let n = 3; n < limit; n += 2/; s/const found = \\[\\]/const found = [2]/' src/primes.mjs > new.mjs && mv new.mjs src/primes.mjs
`,
  'ideas/3-skip-even-too.sh': `# The same in other words: it takes as many divisions as idea 2.
sed 's/^    let isPrime = true$/    let isPrime = n === 2 || n % 2 === 1/; s/d < n; d++/isPrime \\&\\& d < n; d++/; s/d \\* d <= n; d++/isPrime \\&\\& d * d <= n; d++/' src/primes.mjs > new.mjs && mv new.mjs src/primes.mjs
`,
  'ideas/4-by-chance.sh': `# Noise: sometimes a few divisions fewer, sometimes a few more.
sed 's/^const WARM_UP = .*/const WARM_UP = Number(process.hrtime.bigint() % 41n)/' src/primes.mjs > new.mjs && mv new.mjs src/primes.mjs
`,
  'ideas/5-cheat.sh': `# A better score without fewer divisions.
echo 'console.log(JSON.stringify({ steps: 1 }))' > score.mjs
`,
  'ideas/6-crash.sh': `echo 'this idea breaks' >&2
exit 1
`,
}
