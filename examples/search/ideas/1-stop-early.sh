# A number has no divisor above its square root that it has not one below it for.
sed 's/d < n; d++/d * d <= n; d++/' src/primes.mjs > new.mjs && mv new.mjs src/primes.mjs
