// Opens as many files as it may, if it is told to, then looks at a repository and prints what is wrong with it.
// Usage: node crowded-process.ts FOLDER [crowded]
import { openSync, writeSync } from 'node:fs'
import { inspect } from '../../../src/git/user/repository.ts'

const [folder = '', crowded = ''] = process.argv.slice(2)
try {
  while (crowded) openSync('/dev/null', 'r')
} catch {
  // no more
}
const result = await inspect(folder)
writeSync(1, result.ok ? 'ok' : result.problems.map(({ message }) => message).join('\n'))
