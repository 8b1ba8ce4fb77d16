import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { acquireLock, lockHolder } from '../../src/process/lock.ts'
import { processIdentity } from '../../src/process/tree/identity.ts'

test('a lock is held once, named, and free again after its release', async (t) => {
  const path = lockPath(t)
  const first = await acquireLock(path, 'run 1')
  assert.ok(first.ok)
  assert.equal(lockHolder(path)?.note, 'run 1')
  const second = await acquireLock(path, 'run 2')
  assert.deepEqual(second, { ok: false, holder: { ...processIdentity(process.pid), note: 'run 1' } })
  await first.lock[Symbol.asyncDispose]()
  assert.equal(lockHolder(path), null)
  const third = await acquireLock(path, 'run 3')
  assert.ok(third.ok)
  await first.lock[Symbol.asyncDispose]() // a second release must not take it from its new holder
  assert.equal((await acquireLock(path, 'run 4')).ok, false)
  await third.lock[Symbol.asyncDispose]()
})

test('files that no living process left are no obstacle', async (t) => {
  const self = processIdentity(process.pid)
  for (const text of ['', 'garbage', '{"pid":1}', JSON.stringify({ ...self, startTime: '1' }), '{}']) {
    const path = lockPath(t)
    writeFileSync(path, text)
    const result = await acquireLock(path, 'next')
    assert.ok(result.ok)
    await result.lock[Symbol.asyncDispose]()
  }
})

test('a living holder is respected even where the kernel lock says nothing', async (t) => {
  const path = lockPath(t)
  writeFileSync(path, JSON.stringify({ ...processIdentity(process.ppid), note: 'elsewhere' }))
  const result = await acquireLock(path, 'next')
  assert.deepEqual([result.ok, !result.ok && result.holder?.note], [false, 'elsewhere'])
})

test('of many processes that race for a stale lock exactly one gets it, every time', async (t) => {
  const path = lockPath(t)
  const stale = JSON.stringify({ ...processIdentity(process.pid), startTime: '1', note: 'dead' })
  const contenders = await Promise.all(Array.from({ length: 4 }, () => contender(t, path)))
  for (let round = 0; round < 100; round++) {
    writeFileSync(path, stale)
    const answers = await Promise.all(contenders.map(({ ask }) => ask('take')))
    const winners = contenders.filter((_, i) => answers[i]?.ok)
    assert.equal(winners.length, 1, `round ${round}`)
    const [winner] = winners
    for (const answer of answers) if (!answer?.ok) assert.equal(answer?.holder?.pid, winner?.child.pid)
    await winner?.ask('release')
    assert.equal(existsSync(path), false)
  }
})

test('a holder killed by SIGKILL leaves a lock that exactly one of those waiting takes over', async (t) => {
  const path = lockPath(t)
  for (let round = 0; round < 3; round++) {
    const [holder, ...others] = await Promise.all(Array.from({ length: 3 }, () => contender(t, path)))
    assert.ok(holder)
    assert.equal((await holder.ask('take'))?.ok, true)
    assert.deepEqual(await Promise.all(others.map(async ({ ask }) => (await ask('take'))?.ok)), [false, false])
    holder.child.kill('SIGKILL')
    await once(holder.child, 'exit')
    assert.equal(JSON.parse(readFileSync(path, 'utf8')).pid, holder.child.pid)
    const taken = await Promise.all(others.map(async ({ ask }) => (await ask('take'))?.ok))
    assert.deepEqual(taken.sort(), [false, true])
    for (const { child } of others) child.kill('SIGKILL')
    await Promise.all(others.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  }
})

type Answer = { ok?: boolean; holder?: { pid: number } | null } | undefined

async function contender(t: TestContext, path: string) {
  const script = fileURLToPath(new URL('lock-contender.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', script, path]
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, '"ready"')
  const ask = async (request: 'take' | 'release'): Promise<Answer> => {
    child.stdin?.write(`${request}\n`)
    return JSON.parse((await lines.next()).value ?? 'null') ?? undefined
  }
  return { child, ask }
}

function lockPath(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'espalier-lock-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'engine.lock')
}
