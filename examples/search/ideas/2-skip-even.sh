# No even number but 2 is prime.
sed 's/let n = 2; n < limit; n++/let n = 3; n < limit; n += 2/; s/const found = \[\]/const found = [2]/' src/primes.mjs > new.mjs && mv new.mjs src/primes.mjs
