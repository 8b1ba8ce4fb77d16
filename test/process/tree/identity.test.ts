import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isAlive, parseIdentity, parseStat, processIdentity } from '../../../src/process/tree/identity.ts'
import { until } from '../../rig/until.ts'
import { pidIn, rig } from '../rig.ts'

test('a process is itself, and nobody else with its number', () => {
  const self = processIdentity(process.pid)
  assert.ok(self)
  assert.equal(self.pid, process.pid)
  assert.equal(isAlive(self), true)
  assert.equal(isAlive({ ...self, startTime: '1' }), false)
  assert.equal(isAlive({ ...self, bootId: 'another' }), false)
  assert.deepEqual(parseIdentity(JSON.stringify(self)), self)
})

test('a process that has ended is dead, collected or not', async (t) => {
  const child = spawn('sleep', ['1000'])
  const identity = processIdentity(child.pid ?? 0)
  assert.ok(identity && isAlive(identity))
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(isAlive(identity), false)

  // Its parent goes on as another program that never collects it.
  const { sh, path } = rig(t)
  const supervised = sh('sh -c "echo \\$\\$ > pid; read x < fifo" & mkfifo fifo 2>/dev/null; exec sleep 1000')
  const pid = await until('the child', () => pidIn(path('pid')))
  await until('its end', () => {
    if (processIdentity(pid)) process.kill(pid, 'SIGKILL')
    return processIdentity(pid) === null
  })
  await supervised.stop()
})

test('incomplete and foreign files name nobody', () => {
  for (const text of ['', '{', '{}', 'null', '[]', '7', '{"pid":"1","startTime":"2","bootId":"3"}']) {
    assert.equal(parseIdentity(text), null)
  }
})

test('a name with spaces and brackets does not confuse the fields', () => {
  const fields = Array.from({ length: 40 }, (_, i) => String(i + 4)).join(' ')
  const expected = { state: 'S', ppid: 4, session: 6, startTime: '22', limit: '25' }
  assert.deepEqual(parseStat(`12 (a) b (c)) S ${fields}`), expected)
  assert.equal(parseStat(''), null)
})

test('with a /proc of another PID namespace nobody can be told from others, and that is said', (t) => {
  const program = `console.log(JSON.stringify((await import(${JSON.stringify(IDENTITY)})).processTableTrouble()))`
  const asked = (...before: string[]) => {
    const words = [...before, process.execPath, '--input-type=module', '-e', program]
    return spawnSync(words[0] ?? '', words.slice(1), { encoding: 'utf8' })
  }
  assert.equal(JSON.parse(asked('env').stdout), null)
  const apart = asked('unshare', '--pid', '--fork')
  if (apart.status !== 0) return t.skip('needs the right to make a PID namespace')
  assert.match(JSON.parse(apart.stdout), /^\/proc belongs to another PID namespace .*`unshare --mount-proc`/)
  const own = asked('unshare', '--pid', '--fork', '--mount-proc')
  assert.equal(JSON.parse(own.stdout), null)
})

const IDENTITY = new URL('../../../src/process/tree/identity.ts', import.meta.url).href
