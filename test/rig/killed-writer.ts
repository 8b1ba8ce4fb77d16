// Changes a file, and is killed as soon as its draft stands beside it: for tests of what that leaves behind.
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { changeFile } from '../../src/engine/plan-file/replace-file-safely.ts'
import { ok } from '../../src/problem.ts'

const [, , file = ''] = process.argv

// Between two steps of the work: from the draft's first to its last there are several.
function look(): void {
  if (readdirSync(dirname(file)).some((name) => name.endsWith('.tmp'))) process.kill(process.pid, 'SIGKILL')
  setImmediate(look)
}

look()
await changeFile(file, (text) => ok(`${text}, by one who was killed`))
process.exit()
