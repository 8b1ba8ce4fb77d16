import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { breakIn, giveBack, identity, lockPlanFile, staleLock } from '../../../src/engine/plan-file/lock.ts'
import { findProgram } from '../../../src/process/program.ts'
import { temporaryFolder } from '../../rig/repository.ts'

const KINDS = ['file', 'folder'] as const

for (const kind of KINDS) {
  test(`a lock (${kind}) has one holder, whatever the other wants to make`, async () => {
    await using folder = await temporaryFolder()
    const file = folder.at('plan.json')
    {
      await using lock = await lockPlanFile(file, kind, 0)
      assert.ok(await lock?.isHeld())
      for (const other of KINDS) assert.equal(await lockPlanFile(file, other, 50), null)
    }
    assert.deepEqual(await readdir(folder.path), [])
    await using again = await lockPlanFile(file, kind, 0)
    assert.ok(again)
  })

  test(`a lock (${kind}) that has been there for long was left behind`, async () => {
    await using folder = await temporaryFolder()
    const file = folder.at('plan.json')
    await makeLock(`${file}.lock`, kind)
    assert.equal(await lockPlanFile(file, kind, 0), null)
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(`${file}.lock`, longAgo, longAgo)
    await using lock = await lockPlanFile(file, kind, 0)
    assert.ok(lock)
    assert.deepEqual(await readdir(folder.path), ['plan.json.lock'])
  })

  test(`a lock (${kind}) that is another one by now is not broken into`, async () => {
    await using folder = await temporaryFolder()
    const path = folder.at('plan.json.lock')
    const longAgo = new Date(Date.now() - 60_000)
    await makeLock(path, kind)
    await utimes(path, longAgo, longAgo)
    const stale = await staleLock(path)
    assert.ok(stale)
    // Made before the old one is gone, so that it cannot be the same.
    await makeLock(folder.at('new'), kind)
    await rm(path, { recursive: true })
    await rename(folder.at('new'), path)
    const taken = await identity(path)
    await breakIn(path, stale)
    assert.equal(await identity(path), taken)
    assert.deepEqual(await readdir(folder.path), ['plan.json.lock'])
    await breakIn(path, String(taken))
    assert.deepEqual(await readdir(folder.path), [])
  })

  test(`a lock (${kind}) that was taken away from its holder is given back`, async () => {
    await using folder = await temporaryFolder()
    const [path, aside] = [folder.at('plan.json.lock'), folder.at('aside')]
    await makeLock(aside, kind)
    const taken = await identity(aside)
    await giveBack(aside, path)
    assert.equal(await identity(path), taken)
  })
}

async function makeLock(path: string, kind: (typeof KINDS)[number]): Promise<void> {
  if (kind === 'folder') await mkdir(path)
  else await writeFile(path, '')
}

test('a file of a lock is not given back over the one that somebody has made since', async () => {
  await using folder = await temporaryFolder()
  const [path, aside] = [folder.at('plan.json.lock'), folder.at('aside')]
  await makeLock(aside, 'file')
  await makeLock(path, 'file')
  const theirs = await identity(path)
  await giveBack(aside, path)
  assert.equal(await identity(path), theirs)
})

test('the lock of a process that is gone is free at once, that of one that lives or runs elsewhere is not', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  const heldBy = (holder: object) => writeFile(`${file}.lock`, JSON.stringify(holder))
  await heldBy({ pid: process.pid, host: hostname() })
  assert.equal(await lockPlanFile(file, 'file', 0), null)
  await heldBy({ pid: 2 ** 30, host: `not-${hostname()}` })
  assert.equal(await lockPlanFile(file, 'file', 0), null)
  await heldBy({ pid: 2 ** 30, host: hostname() })
  await using lock = await lockPlanFile(file, 'file', 0)
  assert.ok(lock)
})

test('whoever lost it knows, and does not take it from the next one', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  const first = await lockPlanFile(file, 'file', 0)
  await rm(`${file}.lock`)
  await using second = await lockPlanFile(file, 'file', 0)
  assert.equal(await first?.isHeld(), false)
  await first?.[Symbol.asyncDispose]()
  assert.ok(await second?.isHeld())
})

test('it is waited for', async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  const first = await lockPlanFile(file, 'file', 0)
  const waiting = lockPlanFile(file, 'folder', 60_000)
  await first?.[Symbol.asyncDispose]()
  await using second = await waiting
  assert.ok(second)
})

/** Whoever locks with flock(2), as Python's programs do. Ends when its input does. */
async function flockHolder(path: string): Promise<{ end(): Promise<void> } | null> {
  const program = spawn('flock', ['-x', '-n', path, 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  program.stdin.on('error', () => {})
  program.stdin.write('.')
  const ended = once(program, 'close')
  if ((await Promise.race([once(program.stdout, 'data'), ended]))[0] === 1) return null
  return {
    end: async () => {
      program.stdin.end()
      await ended
    },
  }
}

const noFlock =
  (findProgram('flock', process.env) === null || !existsSync('/proc/locks')) && 'needs the program flock, and Linux'

test('whoever locks with flock while it is held keeps it, and it is free once they are done', {
  skip: noFlock,
}, async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  const lock = await lockPlanFile(file, 'file', 0)
  const holder = await flockHolder(`${file}.lock`)
  assert.ok(lock && holder)
  assert.equal(await lock.isHeld(), false)
  await lock[Symbol.asyncDispose]()
  assert.equal(await flockHolder(`${file}.lock`), null, 'it is still theirs')
  assert.equal(await lockPlanFile(file, 'file', 100), null)
  await holder.end()
  await using again = await lockPlanFile(file, 'file', 0)
  assert.ok(await again?.isHeld())
})

test('whoever locks with flock is waited for, however old their file is', { skip: noFlock }, async () => {
  await using folder = await temporaryFolder()
  const file = folder.at('plan.json')
  const holder = await flockHolder(`${file}.lock`)
  assert.ok(holder)
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(`${file}.lock`, longAgo, longAgo)
  assert.equal(await lockPlanFile(file, 'file', 100), null)
  await holder.end()
  await using lock = await lockPlanFile(file, 'file', 0)
  assert.ok(lock)
})
