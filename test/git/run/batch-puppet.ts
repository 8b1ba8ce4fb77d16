// Asks a git that stays one question. `end`: then it has nothing more to do. `stay`: it waits to be killed.
// Usage: node batch-puppet.ts REPO STATE end|stay
import { openEngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { objectInfo } from '../../../src/git/run/read-objects.ts'
import { inspect } from '../../../src/git/user/repository.ts'

const [, , repo = '', state = '', what] = process.argv
const user = await inspect(repo)
if (!user.ok) throw new Error(user.problems[0]?.message)
const engine = await openEngineRepository(state, user.value)
const info = await objectInfo(engine, user.value.head)
if (info?.type !== 'commit') throw new Error('no answer')
if (what === 'stay') setInterval(() => {}, 1_000)
