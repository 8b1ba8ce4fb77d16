// Agents that try to outlive their end, as root and as an ordinary user: after the end is acknowledged `ps` finds none
// of them.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { signal } from '../../../src/process/tree/tree.ts'
import { until } from '../../rig/until.ts'
import { type Engine, startEngine } from '../engine.ts'
import { canMark, escaping, HOSTILE, holdScript, hopScript, newMarker, processesWith } from '../hostile.ts'
import { canGroup, isRunning, pidIn, type Rig, rig } from '../rig.ts'

const ORDINARY_USER = 65534
const IS_ROOT = process.getuid?.() === 0

const LOOKS = 5

/** `uid`: who the engine is, where that is not who runs the test. */
type User = { name: string; uid?: number; kind: 'grouped' | 'ungrouped'; grouped: boolean }

const USERS: User[] = [
  { name: IS_ROOT ? 'root' : 'this user', kind: 'grouped', grouped: canGroup },
  IS_ROOT
    ? { name: 'an ordinary user', uid: ORDINARY_USER, kind: 'grouped', grouped: false }
    : { name: 'this user, without a control group', kind: 'ungrouped', grouped: false },
]

// They wait more than they work.
describe('hostile agents', { concurrency: 4 }, () => {
  for (const user of USERS)
    for (const hostile of HOSTILE)
      test(`${hostile.name}: nothing is left after a stop (${user.name})`, async (t) => {
        const marker = newMarker()
        const attempt = stage(t, user, marker)
        const engine = await start(t, attempt, user, hostile.command(marker))
        await until('all of them', () => hostile.files.every((file) => pidIn(attempt.path(file)) !== null))
        assert.ok(processesWith(marker).length > 0, 'they cannot be seen: the test is blind')
        await stop(engine)
        const last = attempt.path(hostile.files[0] ?? '')
        const before = readFileSync(last, 'utf8')
        // One that is another process every few milliseconds is not seen by every look.
        const looks = Array.from({ length: LOOKS }, () => processesWith(marker, attempt.dir)).flat()
        const left = looks.filter(({ pid }) => pid !== engine.process.pid)
        // What the documentation says about machines that have neither of the two means.
        if (hostile.hides && !user.grouped && !canMark) return assert.notDeepEqual(left, [])
        assert.deepEqual(left, [])
        assert.equal(readFileSync(last, 'utf8'), before)
        assert.notEqual(before, '0\n', 'it ended by itself')
      })

  for (const user of USERS)
    test(`an agent that ends its own supervisor leaves nothing (${user.name})`, async (t) => {
      const marker = newMarker()
      const attempt = stage(t, user, marker)
      const suicide = 'while [ ! -e a ]; do sleep 0.02; done; kill -9 $(ps -o ppid= -p $PPID) $PPID'
      const engine = await start(t, attempt, user, `${escaping(marker)}; ${suicide}; exec sleep ${marker}`)
      const exit = JSON.parse(await engine.line()) as { kind: string; leftovers: number }
      assert.equal(exit.kind, 'lost')
      const left = processesWith(marker, attempt.dir).filter(({ pid }) => pid !== engine.process.pid)
      if (user.grouped || canMark) assert.deepEqual([left, exit.leftovers > 0], [[], true])
      else assert.notDeepEqual(left, [])
    })

  test('what the documentation says is not found: one that takes the mark off as well, without a control group', async (t) => {
    const user = USERS.at(-1) as User
    const marker = newMarker()
    const attempt = stage(t, user, marker)
    const bare = escaping(marker).replace("'(", "'ulimit -S -m unlimited; (")
    const engine = await start(t, attempt, user, `${bare}; exec sleep ${marker}`)
    const pid = await until('it', () => pidIn(attempt.path('a')))
    await stop(engine)
    assert.equal(isRunning(pid), !user.grouped)
  })
})

/** A folder that belongs to the user, with the scripts; what carries the marker ends with the test, whatever it does. */
function stage(t: TestContext, user: User, marker: string): Rig {
  const attempt = rig(t, user.kind)
  writeFileSync(attempt.path('hold'), holdScript())
  writeFileSync(attempt.path('hop'), hopScript())
  chmodSync(dirname(attempt.dir), 0o755)
  if (user.uid !== undefined) for (const folder of [attempt.dir, attempt.cwd]) chownSync(folder, user.uid, user.uid)
  t.after(() => {
    const left = processesWith(marker).map(({ pid }) => processIdentity(pid))
    for (const one of left) if (one) signal(one, 'SIGKILL')
  })
  return attempt
}

function start(t: TestContext, attempt: Rig, { uid }: User, command: string): Promise<Engine> {
  return startEngine(t, attempt, command, { ...(uid === undefined ? {} : { uid }), spec: { graceMs: 150 } })
}

/** Resolves when the engine says that it is over. */
async function stop(engine: Engine): Promise<void> {
  engine.tell('stop')
  await engine.line()
}
