import { mkdirSync, writeFileSync } from 'node:fs'

mkdirSync('out', { recursive: true })
writeFileSync('out/result.txt', '2 + 2 = 5\n')
console.error('expected 4, and got 5')
process.exit(1)
