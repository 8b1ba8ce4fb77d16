import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ok, type Result } from '../../../src/problem.ts'
import { openStore, unlessStoreTrouble } from '../../../src/store/open.ts'
import { sql } from '../../../src/store/sql.ts'
import { openSqlite } from '../../../src/store/sqlite/open.ts'
import { temporaryFolder } from '../../rig/repository.ts'
import { event, newRun, type StoreRig, storeContract, summary, view } from '../contract.ts'
import { feedContract } from '../feed-contract.ts'
import { leadContract } from '../lead-contract.ts'
import { ledgerContract } from '../ledger-contract.ts'
import { continuesOlderStore, olderStore, readsOlderStore } from '../older-version.ts'
import { startWriter } from '../start-writer.ts'
import { suiteContract } from '../suite-contract.ts'

const openRig = async (): Promise<StoreRig> => {
  const folder = await temporaryFolder()
  const path = folder.at('state.db')
  return {
    open: async () => value(await openStore(path)),
    startWriter: () => startWriter(path),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

storeContract('sqlite', openRig)
feedContract('sqlite', openRig)
leadContract('sqlite', openRig)
ledgerContract('sqlite', openRig)
suiteContract('sqlite', openRig)

test('I11: a commit waits until the disk has it, so that a power cut takes nothing back', async () => {
  await using folder = await temporaryFolder()
  await using db = value(await openSqlite(folder.at('state.db'), 'write'))
  assert.deepEqual(await db.all(sql`pragma synchronous`, ({ synchronous }) => synchronous), [FULL])
})

/** 1 would be written to the disk some time later, 0 whenever the system likes. */
const FULL = 2

test('a database written by a newer version is left alone, with a word on what to do', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await value(await openStore(path))[Symbol.asyncDispose]()
  const db = new DatabaseSync(path)
  db.exec('pragma user_version = 999')
  db.close()
  const before = await readFile(path)
  for (const mode of ['write', 'read'] as const)
    assert.match(problemOf(await openStore(path, mode)), /state\.db was written by a newer version of espalier/)
  assert.deepEqual(await readFile(path), before)
})

test('a store of an older version is read as it is, and goes on once it is opened for writing', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  {
    using db = new DatabaseSync(path)
    db.exec(await olderStore('sqlite'))
  }
  for (const mode of ['read', 'write'] as const) {
    await using store = value(await openStore(path, mode))
    await readsOlderStore(store)
    if (mode === 'write') await continuesOlderStore(store)
  }
})

test('a file that is no database is left alone, with a word on what to do', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await writeFile(path, 'this is not a database, but it is long enough to be one\n'.repeat(100))
  const before = await readFile(path)
  for (const mode of ['write', 'read'] as const)
    assert.match(problemOf(await openStore(path, mode)), /state database .*is damaged.*move it away/)
  assert.deepEqual(await readFile(path), before)
})

test('opened for reading, a store that is not there is not made, and one that is there is not written', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  assert.match(problemOf(await openStore(path, 'read')), /there is no state database/)
  assert.equal(existsSync(path), false)
  await using writer = value(await openStore(path))
  await writer.createRun(newRun())
  await using reader = value(await openStore(path, 'read'))
  assert.deepEqual(await reader.runIds(), ['r'])
  await assert.rejects(reader.append('r', [event(1)], { run: summary('r', 1), tasks: [] }))
})

test('a run that a newer version has worked on is named as such, and is no damage', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await using store = value(await openStore(path))
  const newer = async (sql: string, look: () => Promise<unknown>) => {
    await store.deleteRun('r')
    await store.createRun(newRun())
    await store.append('r', [event(1)], { run: summary('r', 1), tasks: [view('a', 'ready')] })
    await look()
    {
      using db = new DatabaseSync(path)
      db.exec(`update run set journal_version = 99; update event set version = 99; ${sql}`)
    }
    const answer = await unlessStoreTrouble(path, async () => ok(await look()))
    assert.match(problemOf(answer), / of run r|^run r/, sql)
    assert.match(problemOf(answer), /was written by a newer version of espalier: use that version for it\./, sql)
  }
  await newer(`update event set data = '{"type":"run.danced"}'`, () => store.events('r'))
  await newer('select 1', () => store.events('r'))
  await newer(`update run set view = '{"run":"r","status":"dancing"}'`, () => store.runs())
  await newer(`update run set view = '[]'`, () => store.view('r'))
  await newer(`update run set plan = '{"tasks":[7]}'`, () => store.run('r'))
  await newer(`update task set view = '{"id":"a"}'`, () => store.tasks('r'))
  await newer(`update task set view = '{"id":"a"}'`, () => store.task('r', 'a'))
})

test('the disk of runs that were deleted is given back, and the write-ahead log emptied', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await using store = value(await openStore(path))
  const plan = { ...newRun().plan, name: 'x'.repeat(8 << 20) }
  await store.createRun({ ...newRun('large'), plan })
  await store.createRun(newRun('small'))
  const size = async (file: string) => (await stat(file)).size
  await store.compact()
  assert.equal(await size(`${path}-wal`), 0)
  assert.ok((await size(path)) > 8 << 20)
  await store.deleteRun('large')
  await using reader = value(await openStore(path, 'read'))
  assert.deepEqual(await reader.runIds(), ['small'])
  await store.compact()
  assert.ok((await size(path)) < 1 << 20)
  assert.deepEqual([await store.runIds(), await reader.runIds()], [['small'], ['small']])
})

test('a database that another process is just making has nothing in it yet', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  new DatabaseSync(path).exec('pragma journal_mode = wal')
  await using reader = value(await openStore(path, 'read'))
  assert.deepEqual(await reader.runs(), [])
})

test('rows that make no sense are damage, never taken for what they should be', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  await using store = value(await openStore(path))
  const damage = async (sql: string, look: () => Promise<unknown>) => {
    await store.deleteRun('r')
    await store.createRun(newRun())
    await store.append('r', [event(1)], { run: summary('r', 1), tasks: [view('a', 'ready')] })
    await store.request('r', { type: 'run.cancelled', request: null })
    await look()
    const db = new DatabaseSync(path)
    db.exec(sql)
    db.close()
    const answer = await unlessStoreTrouble(path, async () => ok(await look()))
    assert.match(problemOf(answer), /makes no sense.*move it away/, sql)
  }
  await damage(`update run set view = '{"run":"r","status":"sleeping"}'`, () => store.runs())
  await damage(`update run set view = '[]'`, () => store.view('r'))
  await damage(`update run set plan = '{"tasks":[7]}'`, () => store.run('r'))
  await damage(`update run set settings = 'null'`, () => store.run('r'))
  await damage(`update task set view = '{"id":"a"'`, () => store.tasks('r'))
  await damage(`update task set view = '{"id":"a"}'`, () => store.tasks('r'))
  await damage(`update event set data = '{"type":"run.danced"}'`, () => store.events('r'))
  await damage(`update request set data = '{"type":"dance"}'`, () => store.requests('r', 0))
})

function value<T>(result: Result<T>): T {
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

function problemOf(result: Result<unknown>): string {
  assert.ok(!result.ok)
  return result.problems[0]?.message ?? ''
}
