// Who leads a store on Postgres, and what becomes of one that was replaced.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openStore } from '../../../src/store/open.ts'
import { migratePostgresUrl } from '../../../src/store/postgres/open.ts'
import { POSTGRES_MIGRATIONS } from '../../../src/store/schema.ts'
import { testDatabase } from '../../rig/postgres.ts'
import { until } from '../../rig/until.ts'
import { newRun } from '../contract.ts'
import { append, leader } from '../lead-contract.ts'
import { continuesOlderStore, olderStore, readsOlderStore } from '../older-version.ts'
import { postgresRig, value } from './postgres-rig.ts'

test('while one leads no other does, and the lead is free as soon as its store is closed', async () => {
  await using rig = await postgresRig()
  await using standby = await rig.open()
  {
    await using first = await rig.open()
    assert.ok((await first.takeLead(leader(1))).ok)
    assert.deepEqual(await standby.takeLead(leader(2)), { ok: false, leader: leader(1) })
  }
  assert.ok((await standby.takeLead(leader(2))).ok)
})

test('a leader that was cut off and replaced is fenced by the epoch, learns so by itself, and writes nothing', async () => {
  await using rig = await postgresRig()
  await using first = await rig.open()
  await using second = await rig.open()
  await first.createRun(newRun())
  assert.ok((await first.takeLead(leader(1))).ok)
  assert.equal(await append(first, 1), 'written')
  await cutUntil(rig.url, async () => (await second.takeLead(leader(2))).ok)
  // Its number is free: only the epoch tells.
  assert.equal(await append(first, 2), 'fenced')
  assert.equal(await append(second, 2), 'written')
  await until('it knows', () => first.fenced.aborted)
  assert.equal(second.fenced.aborted, false)
  assert.deepEqual((await second.events('r')).length, 2)
})

test('a leader that is cut off for a moment goes on leading, in the same epoch', async () => {
  await using rig = await postgresRig()
  await using store = await rig.open()
  await store.createRun(newRun())
  assert.ok((await store.takeLead(leader(1))).ok)
  let cuts = 0
  await cutUntil(rig.url, async () => ++cuts > 3)
  assert.equal(await append(store, 1), 'written')
  await using other = await rig.open()
  await until('it holds the lock again', async () => !(await other.takeLead(leader(2))).ok)
  assert.equal(store.fenced.aborted, false)
})

test('two coordinators that take turns never both write', async () => {
  await using rig = await postgresRig()
  const stores = [await rig.open(), await rig.open()]
  try {
    await stores[0]?.createRun(newRun())
    let next = 1
    for (let turn = 0; turn < 6; turn++) {
      const store = stores[turn % 2]
      const other = stores[(turn + 1) % 2]
      assert.ok(store && other)
      await cutUntil(rig.url, async () => (await store.takeLead(leader(turn + 1))).ok)
      const [mine, late] = await Promise.all([append(store, next), turn === 0 ? 'fenced' : append(other, next)])
      assert.deepEqual([mine, late], ['written', 'fenced'])
      next++
    }
    assert.deepEqual(
      (await stores[0]?.events('r'))?.map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6],
    )
  } finally {
    for (const store of stores) await store[Symbol.asyncDispose]()
  }
})

test('projects in one database do not see each other, and each has a leader of its own', async () => {
  await using database = await testDatabase()
  await using web = value(await openStore(`${database.url}?schema=web`))
  await using api = value(await openStore(`${database.url}?schema=api`))
  await web.createRun(newRun('r'))
  assert.deepEqual(await api.runIds(), [])
  await api.createRun(newRun('r'))
  assert.ok((await web.takeLead(leader(1))).ok)
  assert.ok((await api.takeLead(leader(2))).ok)
  await web.deleteRun('r')
  assert.deepEqual([await web.runIds(), await api.runIds()], [[], ['r']])
})

test('many who open a new project at once make its tables once', async () => {
  await using database = await testDatabase()
  const applied = await Promise.all(Array.from({ length: 8 }, () => migratePostgresUrl(database.url)))
  assert.deepEqual(applied.map(value).sort(), [0, 0, 0, 0, 0, 0, 0, POSTGRES_MIGRATIONS.length])
})

test('a project of a newer version is left alone, and one that is not there is not made by a reader', async () => {
  await using database = await testDatabase()
  {
    await using absent = value(await openStore(database.url, 'read'))
    assert.deepEqual([absent.isBeingMade, await absent.runIds()], [true, []])
  }
  await value(await openStore(database.url))[Symbol.asyncDispose]()
  await administer(database.url, 'insert into espalier.migration (number) values (999)')
  for (const mode of ['read', 'write'] as const)
    assert.match(JSON.stringify(await openStore(database.url, mode)), /written by a newer version of espalier/)
})

test('a project of an older version goes on once it is brought up to date', async () => {
  await using database = await testDatabase()
  const older = await olderStore('postgres')
  await administer(database.url, `create schema espalier; set search_path = espalier; ${older}`)
  assert.match(JSON.stringify(await openStore(database.url, 'read')), /made by an older version of espalier/)
  await using store = value(await openStore(database.url))
  await readsOlderStore(store)
  await continuesOlderStore(store)
})

test('a reader may not write', async () => {
  await using rig = await postgresRig()
  await using _ = await rig.open()
  await using reader = value(await openStore(rig.url, 'read'))
  await assert.rejects(reader.createRun(newRun()), /read-only transaction/)
})

/** Ends the connection that holds the lead, again and again, until something is so. */
async function cutUntil(url: string, isSo: () => Promise<boolean>): Promise<void> {
  await until('the lead was cut', async () => {
    await administer(url, "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
    return isSo()
  })
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
