// A run whose journal is in Postgres, and every command that has to find it there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier, espalierHere, startEspalier } from '../rig/espalier.ts'
import { testDatabase } from '../rig/postgres.ts'
import { makeRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'

const PLAN = `name: shop
tasks: [{ id: a, run: "echo hello; echo a > a.txt" }, { id: b, run: "exit 3", retries: 0 }]
`

test('every command finds the store by the state folder, and none prints its password', async () => {
  await using database = await testDatabase()
  await using repository = await makeRepository({ files: { 'plan.yaml': PLAN } })
  const { password } = new URL(database.url)
  const all: string[] = []
  const call = async (...args: string[]) => {
    const said = await espalierHere(repository.top, args)
    all.push(said.out, said.err)
    return said
  }
  assert.equal((await call('run', 'plan.yaml', '--store', `${database.url}?schema=shop`)).status, 1)
  assert.match((await call('status')).out, /✓ a .*landed/)
  assert.match((await call('status', '--all')).out, /shop-1/)
  assert.match((await call('logs', 'a')).out, /hello/)
  assert.match((await call('report')).out, /shop-1/)
  assert.match((await call('trace', 'a')).out, /a/)
  assert.match((await call('doctor')).out, /engine/)
  assert.equal((await call('retry', 'b')).status, 1)
  assert.match((await call('show', 'b')).out, /exit/)
  assert.equal((await call('land')).status, 0)
  assert.equal((await call('config', '--json')).status, 0)
  assert.equal((await call('store', 'migrate')).status, 0)
  assert.equal((await call('clean', '--dry-run')).status, 0)
  const named = await call('config', '--store', database.url)
  assert.match(named.out, /^store +postgres:\/\/espalier@127/m)
  const wrong = await call('run', '--new', 'plan.yaml', '--store', database.url.replace(password, `${password}x`))
  assert.equal(wrong.status, 2)
  assert.match(wrong.err, /refuses the login/)
  assert.equal(all.join('\n').includes(password), false, 'a password was printed')
})

test('a run is cancelled from another process, and what is recorded with it has no password', async () => {
  await using database = await testDatabase()
  await using repository = await makeRepository({
    files: { 'plan.yaml': 'name: shop\ntasks: [{ id: a, run: "echo up; sleep 600" }]\n' },
  })
  const { password } = new URL(database.url)
  const run = startEspalier(repository.top, ['run', 'plan.yaml', '--store', database.url])
  let heard = ''
  run.stdout.on('data', (chunk) => {
    heard += String(chunk)
  })
  await until('it runs', () => heard.includes('● a started'))
  assert.equal((await espalier(repository.top, ['cancel'])).status, 0)
  await until('it is over', () => run.exitCode !== null)
  assert.match(heard, /cancelled/)
  const settings = await espalier(repository.top, ['status', '--json'])
  assert.equal(settings.out.includes(password), false)
  assert.match(readFileSync(`${repository.top}.espalier/store.json`, 'utf8'), /postgres/)
})

test('runs in the file of a state folder are not left behind for a store on Postgres', async () => {
  await using database = await testDatabase()
  await using repository = await makeRepository({ files: { 'plan.yaml': PLAN } })
  const here = (...args: string[]) => espalierHere(repository.top, args)
  assert.equal((await here('run', 'plan.yaml')).status, 1)
  const url = `${database.url}?schema=shop`
  const refused = await here('run', '--new', 'plan.yaml', '--store', url)
  assert.equal(refused.status, 2)
  assert.match(refused.err, /is not in postgres:.*: name another folder with --state-dir, or move .*state\.db away/)
  assert.equal((await here('run', 'plan.yaml', '--store', url, '--state-dir', '../other')).status, 1)
})

test('two repositories do not mix their runs in one project', async () => {
  await using database = await testDatabase()
  await using one = await makeRepository({ files: { 'plan.yaml': PLAN } })
  await using other = await makeRepository({ files: { 'plan.yaml': PLAN, other: 'one' } })
  assert.equal((await espalierHere(one.top, ['run', 'plan.yaml', '--store', database.url])).status, 1)
  const refused = await espalierHere(other.top, ['run', 'plan.yaml', '--store', database.url])
  assert.equal(refused.status, 2)
  assert.match(refused.err, /the runs in postgres:.* are of .*: name a project of its own with \?schema=NAME/)
  const named = await espalierHere(other.top, ['run', 'plan.yaml', '--store', `${database.url}?schema=other`])
  assert.equal(named.status, 1)
})
