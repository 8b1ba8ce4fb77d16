import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Result } from '../../src/problem.ts'
import { openStore, openViews, storeTrouble, withStore } from '../../src/store/open.ts'
import { storeName } from '../../src/store/place.ts'
import { noSmallDisk, SmallDisk } from '../rig/full-disk.ts'
import { temporaryFolder } from '../rig/repository.ts'
import { newRun } from './contract.ts'

test('a path and a URL of the same file are the same store', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at("it's 100% state?.db")
  {
    await using store = value(await openStore(path))
    await store.createRun(newRun())
  }
  const { href, pathname } = pathToFileURL(path)
  for (const url of [path, href, `sqlite:${pathname}`, `sqlite://${pathname}`]) {
    await using store = value(await openStore(url, 'read'))
    assert.deepEqual(await store.runIds(), ['r'], url)
    await using views = value(await openViews(url))
    assert.deepEqual(await views.runIds(), ['r'], url)
  }
})

test('what names no database is refused, without the password in its URL', async () => {
  assert.match(problemOf(await openStore('mysql://host/espalier')), /^mysql: names no database/)
  for (const url of [
    'postgres://ana:secret@ho st/espalier',
    'postgres:secret',
    'postgres://ana:secret@host/x?schema=No;',
  ])
    for (const opened of [await openStore(url), await openViews(url)]) {
      assert.match(problemOf(opened), /makes no sense|name of a project/)
      assert.doesNotMatch(problemOf(opened), /secret/)
    }
})

test('a store on Postgres is shown without its password', () => {
  assert.equal(storeName('postgres://ana:secret@host:5433/db'), 'postgres://ana@host:5433/db')
  assert.equal(storeName('postgresql://ana:s@host/db?schema=web&password=secret'), 'postgres://ana@host/db?schema=web')
  assert.equal(storeName('/state/state.db'), '/state/state.db')
})

test('a disk that becomes full while a store is made is told as full, not as damage', {
  skip: noSmallDisk,
}, async () => {
  await using folder = await temporaryFolder()
  using disk = new SmallDisk(folder.at('disk'), 'size=1m')
  for (const leftKb of [0, 16, 48, 100]) {
    disk.fill(leftKb)
    const path = folder.at('disk', `${leftKb}.db`)
    assert.match(problemOf(await openStore(path)), /: (free some disk|is its disk full, or broken\?)$/, `${leftKb} kB`)
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(path + end, { force: true })
    disk.free()
  }
})

/** What another process says of opening a store, within limits of the shell. */
function openedWithin(limits: string, ...args: string[]): string {
  const script = fileURLToPath(new URL('open-store-process.ts', import.meta.url))
  const words = ['-c', `${limits}; exec "$0" --no-warnings "$@"`, process.execPath, script, ...args]
  return execFileSync('/bin/sh', words, { encoding: 'utf8' })
}

test('files that may not grow while a store is made are told as a full disk, not as damage', async () => {
  await using folder = await temporaryFolder()
  for (const blocks of ['0', '64', '140'])
    assert.match(
      openedWithin(`ulimit -f ${blocks}`, folder.at(`${blocks}.db`)),
      /is its disk full, or broken\?/,
      blocks,
    )
})

test('too many open files are told as such, not as a file that may not be written', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await value(await openStore(path))[Symbol.asyncDispose]()
  for (const free of ['0', '1'])
    assert.match(openedWithin('ulimit -n 64', path, free), /could not be opened: EMFILE.*allow more open files/, free)
  assert.equal(openedWithin('ulimit -n 64', path, '10'), 'ok')
})

test('what the database does not allow is a refusal, and every other error is a bug', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await using _ = value(await openStore(path))
  const refused = await withStore(path, 'read', async (store) => {
    await store.createRun(newRun())
    return { ok: true, value: null }
  })
  assert.match(problemOf(refused), /state\.db may not be written/)
  const bug = new TypeError('a bug')
  await assert.rejects(
    withStore(path, 'read', () => Promise.reject(bug)),
    bug,
  )
  assert.equal(storeTrouble(path, bug), null)
})

function value<T>(result: Result<T>): T {
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

function problemOf(result: Result<unknown>): string {
  assert.ok(!result.ok)
  return result.problems[0]?.message ?? ''
}
