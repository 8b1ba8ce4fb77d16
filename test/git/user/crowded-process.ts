// Opens as many files as it may, if it is told to, then looks at a repository and prints what is wrong with it, as a run and
// as `doctor` does. Usage: node crowded-process.ts FOLDER [crowded]
import { openSync, writeSync } from 'node:fs'
import { diagnose } from '../../../src/engine/doctor/doctor.ts'
import { inspect } from '../../../src/git/user/repository.ts'

const [folder = '', crowded = ''] = process.argv.slice(2)
try {
  while (crowded) openSync('/dev/null', 'r')
} catch {
  // no more
}
const result = await inspect(folder)
const [, git] = await diagnose({ repo: folder })
const problems = result.ok ? ['ok'] : result.problems.map(({ message }) => message)
writeSync(1, [...problems, `doctor: ${git?.message}`].join('\n'))
