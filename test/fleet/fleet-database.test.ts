import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptOrder } from '../../src/attempt/attempt-order.ts'
import { type Assignments, assignmentsAt, jobOf } from '../../src/fleet/fleet-database.ts'
import type { Join } from '../../src/fleet/protocol.ts'
import { testDatabase } from '../rig/postgres.ts'

function joinOf(name: string, more: Partial<Join> = {}): Join {
  const machine = { version: '1', host: 'h', platform: 'linux', agents: ['claude'], now: Date.now() }
  return { name, slots: 2, labels: ['gpu'], resources: { card: 1 }, machine, ...more }
}

function orderOf(worker: string, token: string): AttemptOrder {
  return { run: 'r-1', worker, token, attempt: 1, task: { id: 'a' } } as AttemptOrder
}

function beatOf(jobs: string[]) {
  return { name: 'one', project: 'p', load: jobs.length, now: Date.now(), jobs, doing: ['r-1/a'] }
}

async function opened(url: string, role: 'engine' | 'server'): Promise<Assignments> {
  const made = assignmentsAt(url, role)
  assert.ok(made.ok)
  return made.value
}

test('an assignment is there once, is found again when its answer was lost, and is over when it was given up', async () => {
  await using database = await testDatabase()
  await using engine = await opened(database.url, 'engine')
  await using server = await opened(database.url, 'server')
  assert.equal(await server.join(joinOf('one'), 'token-1'), true)
  const order = orderOf('one', 'a'.repeat(32))
  await engine.assign(order)
  await engine.assign(order)
  const job = jobOf(order)
  const first = await server.take('one', [], false)
  assert.deepEqual(
    first.map((one) => [one.job, one.run, one.order.token]),
    [[job, 'r-1', order.token]],
  )
  assert.deepEqual(await server.take('one', [job], true), [], 'it has it')
  assert.deepEqual(
    (await server.take('one', [], true)).map((one) => one.job),
    [job],
    'it never got it',
  )
  assert.deepEqual(await server.beat(beatOf([job])), [])
  await engine.control('one', job, { type: 'allow', globs: ['src/**'] })
  const [message] = await server.messages('one', 0)
  assert.deepEqual([message?.job, message?.type], [job, 'allow'])
  assert.deepEqual(await server.messages('one', message?.id ?? 0), [])
  await engine.cancel('one', job)
  assert.deepEqual(await server.beat(beatOf([job])), [job], 'it is not its any more')
  assert.equal(await server.mine('one', job, 'active'), null)
  assert.equal((await server.mine('one', job, 'any'))?.order.token, order.token)
  assert.equal(await server.mine('two', job, 'any'), null)
})

test('a name belongs to the token that joined with it, as long as that is there', async () => {
  await using database = await testDatabase()
  await using server = await opened(database.url, 'server')
  assert.equal(await server.join(joinOf('one'), 'token-1'), true)
  assert.equal(await server.join(joinOf('one', { slots: 4 }), 'token-1'), true)
  assert.equal(await server.join(joinOf('one'), 'token-2'), false)
  assert.equal(await server.tokenOf('one'), 'token-1')
  await server.leave('one')
  assert.equal(await server.tokenOf('one'), null)
  assert.equal(await server.join(joinOf('one'), 'token-2'), true)
  const [row] = await server.workers()
  assert.deepEqual([row?.name, row?.slots, row?.labels, row?.resources], ['one', 2, ['gpu'], { card: 1 }])
  assert.ok(Math.abs(row?.skewMs ?? 1e9) < 60_000)
})

test('whoever waits is woken by what is written for it', async () => {
  await using database = await testDatabase()
  await using engine = await opened(database.url, 'engine')
  await using server = await opened(database.url, 'server')
  await server.join(joinOf('one'), 'token-1')
  const since = performance.now()
  const woken = server.woken('one', 60_000)
  await engine.assign(orderOf('one', 'b'.repeat(32)))
  await woken
  assert.ok(performance.now() - since < 50_000)
})

test('what an engine gave up before it could say so is cancelled by the next one', async () => {
  await using database = await testDatabase()
  await using engine = await opened(database.url, 'engine')
  await engine.join(joinOf('one'), 'token-1')
  const [kept, gone] = [orderOf('one', 'c'.repeat(32)), orderOf('one', 'd'.repeat(32))]
  for (const order of [kept, gone]) await engine.assign(order)
  await engine.take('one', [], true)
  await engine.cancelAllBut('r-1', () => new Set([kept.token]))
  assert.deepEqual(await engine.beat(beatOf([jobOf(kept), jobOf(gone)])), [jobOf(gone)])
})
