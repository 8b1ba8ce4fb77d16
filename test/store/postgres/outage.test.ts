// A Postgres that is restarted, and connections that are cut: nothing is lost, and nothing happens twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openStore, storeTrouble } from '../../../src/store/open.ts'
import { postgresPlace } from '../../../src/store/place.ts'
import { Connection } from '../../../src/store/postgres/connection.ts'
import { testDatabase } from '../../rig/postgres.ts'
import { startPostgres } from '../../rig/postgres-server.ts'
import { until } from '../../rig/until.ts'
import { newRun } from '../contract.ts'
import { append, leader } from '../lead-contract.ts'
import { value } from './postgres-rig.ts'

test('a server that is restarted in the middle of a run loses no event and doubles none, and the leader goes on leading', async () => {
  await using server = await startPostgres()
  await using database = await server.newDatabase()
  await using store = value(await openStore(database.url))
  await using reader = value(await openStore(database.url, 'read'))
  await store.createRun(newRun())
  assert.ok((await store.takeLead(leader(1))).ok)
  const leaving = new AbortController()
  const seen: number[] = []
  const watching = (async () => {
    for await (const { event } of reader.watch(0, { signal: leaving.signal })) if ('seq' in event) seen.push(event.seq)
  })()
  let restarting: Promise<void> | null = null
  for (let seq = 1; seq <= 60; seq++) {
    if (seq === 20) restarting = server.stop().then(() => server.start())
    assert.equal(await append(store, seq), 'written')
  }
  await restarting
  const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
  assert.deepEqual(
    (await reader.events('r')).map(({ seq }) => seq),
    numbers,
  )
  await until('the watcher has seen them all', () => seen.length === 60)
  assert.deepEqual(seen, numbers)
  leaving.abort()
  await watching
  assert.equal(store.fenced.aborted, false)
})

test('an answer that was lost while committing is found out: a transaction happens once', async () => {
  await using database = await testDatabase()
  const place = value(postgresPlace(database.url))
  await using connection = new Connection(place, 'write')
  await using other = new Connection(place, 'write')
  await other.transaction(async (sql) => {
    await sql('create schema espalier')
    await sql('create table done (n integer)')
  })
  // The server ends the connection at random moments: before, while and after it commits.
  const COUNT = 200
  let isOver = false
  const cutting = (async () => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~ 'insert|commit'`
    while (!isOver) {
      await other.sql(cut)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
    }
  })()
  try {
    for (let n = 0; n < COUNT; n++) await connection.transaction((sql) => sql('insert into done values ($1)', [n]))
  } finally {
    isOver = true
    await cutting
  }
  const rows = await other.sql('select n, count(*) as times from done group by n order by n')
  assert.equal(rows.length, COUNT)
  assert.deepEqual(
    rows.filter(({ times }) => times !== 1),
    [],
  )
})

test('a commit whose answer never comes counts as committed once the server says so', async () => {
  await using database = await testDatabase()
  const place = value(postgresPlace(database.url))
  await using connection = new Connection(place, 'write')
  await using other = new Connection(place, 'write')
  await other.transaction((sql) => sql('create schema espalier'))
  await other.sql('create table done (n integer)')
  let calls = 0
  // The commit is done, and only then is the connection gone, before its answer is read.
  const restore = loseAnswerOf('commit')
  try {
    const result = await connection.transaction(async (sql) => {
      calls++
      await sql('insert into done values (1)')
      return 'kept'
    })
    assert.equal(result, 'kept')
  } finally {
    restore()
  }
  assert.equal(calls, 1, 'not done again')
  assert.deepEqual(await other.sql('select n from done'), [{ n: 1 }])
})

test('a server that is not there is refused soon, by name and without the password', async () => {
  const url = 'postgres://ana:geheim@127.0.0.1:1/espalier?schema=web'
  const opened = await openStore(url)
  assert.ok(!opened.ok)
  const text = opened.problems.map(({ message }) => message).join()
  assert.match(text, /^postgres:\/\/ana@127\.0\.0\.1:1\/espalier\?schema=web cannot be reached \(connect ECONNREFUSED/)
  assert.doesNotMatch(JSON.stringify(opened), /geheim/)
  assert.equal(storeTrouble(url, new TypeError('a bug')), null)
})

test('a wrong password, none at all and a database that is not there are named as such', async () => {
  await using database = await testDatabase()
  const wrong = new URL(database.url)
  wrong.password = 'wrong-password'
  const none = new URL(database.url)
  none.password = ''
  const missing = database.url.replace(/\/\w+$/, '/nowhere')
  for (const [url, says] of [
    [wrong.href, /refuses the login .*PGPASSWORD/],
    [none.href, /refuses the login .*PGPASSWORD/],
    [missing, /is not there .*create the database/],
  ] as const) {
    const opened = await openStore(url)
    assert.ok(!opened.ok)
    assert.match(opened.problems[0]?.message ?? '', says)
    assert.doesNotMatch(JSON.stringify(opened), /wrong-password/)
  }
  // What pg itself says where the server wants SCRAM.
  const scram = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')
  assert.match(storeTrouble(database.url, scram) ?? '', /asks for a password, and none was given/)
})

/** The next such statement is carried out, and then its connection is lost as a whole. */
function loseAnswerOf(statement: string): () => void {
  const { query } = pg.Client.prototype
  let isDone = false
  pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
    const answer = await Reflect.apply(query, this, args)
    if (isDone || args[0] !== statement) return answer
    isDone = true
    throw Object.assign(new Error('Connection terminated unexpectedly'))
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
  }
}
