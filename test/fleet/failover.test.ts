// A second coordinator on another machine: takes over when the first is gone, and fences it where that was only cut off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { espalier } from '../rig/espalier.ts'
import { testDatabase } from '../rig/postgres.ts'
import { startPostgres } from '../rig/postgres-server.ts'
import { runGit } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { Machines } from './machines.ts'

/** Each agent waits until it is allowed to end; `all` allows every one. */
const PLAN = `name: shop
agent: command
command: 'until [ -e "$FLAGS/$ESPALIER_TASK" ] || [ -e "$FLAGS/all" ]; do sleep 0.05; done; echo "$ESPALIER_TASK" > "$ESPALIER_TASK.txt"'
maxConcurrency: 2
tasks:
  - { id: a, prompt: do a }
  - { id: b, prompt: do b }
  - { id: c, prompt: do c, needs: [a] }
  - { id: d, prompt: do d, needs: [c] }
  - { id: e, prompt: do e, needs: [b] }
`
const TASKS = ['a', 'b', 'c', 'd', 'e']

test('a coordinator that is killed is replaced by the standby on another machine, which loses and repeats nothing', async (t) => {
  await using database = await testDatabase()
  await using machines = await machinesOf(database.url)
  const [a, b] = [machines.add('one'), machines.add('two')]
  const first = machines.start(a, 'run', '--standby', 'plan.yaml')
  await first.says('● b started')
  const second = machines.start(b, 'run', '--standby', 'plan.yaml')
  await second.says(`standing by: process ${first.child.pid} on`)
  machines.allow('a')
  await first.says('✓ a landed')
  await first.says('● c started')
  const seen = await espalier(b, ['status'])
  assert.match(seen.out, /shop-1 {2}running/, 'the store was named once')
  await first.kill()
  const died = performance.now()
  await second.says('run shop-1 continues')
  // The promise is 15 s on a machine that has time for it.
  t.diagnostic(`taken over after ${Math.round(performance.now() - died)} ms`)
  machines.allow('all')
  assert.equal(await second.ended(), 0, second.heard)
  await using store = await opened(database.url)
  await assertWhole(store)
  assert.deepEqual(landedIn(b), TASKS)
  assert.equal(runGit(machines.shared, ['rev-parse', 'espalier/shop-1']), runGit(b, ['rev-parse', 'espalier/shop-1']))
  const alone = await espalier(a, ['land', 'shop-1'])
  assert.match(alone.err, /ended on another machine.*ESPALIER_ENGINE_REPOSITORY/)
  const env = { ESPALIER_ENGINE_REPOSITORY: machines.shared }
  const landed = await espalier(a, ['land', 'shop-1'], { env })
  assert.equal(landed.status, 0, landed.err)
  assert.equal(runGit(a, ['rev-parse', 'HEAD']), runGit(b, ['rev-parse', 'espalier/shop-1']))
})

test('a coordinator that was only cut off is fenced: it stops with a clear word, ends its agents, and nothing is doubled', async () => {
  await using database = await testDatabase()
  await using machines = await machinesOf(database.url)
  const [a, b] = [machines.add('one'), machines.add('two')]
  const first = machines.start(a, 'run', '--standby', 'plan.yaml')
  await first.says('● b started')
  const second = machines.start(b, 'run', '--standby', 'plan.yaml')
  await second.says('standing by')
  // It does not know that time passes, as a machine that sleeps, and the server has noticed that it is gone.
  first.child.kill('SIGSTOP')
  await cutLead(database.url)
  await second.says('run shop-1 continues')
  first.child.kill('SIGCONT')
  assert.equal(await first.ended(), 1)
  assert.match(first.heard, /run shop-1 stopped: another engine has taken over run shop-1/)
  machines.allow('all')
  assert.equal(await second.ended(), 0, second.heard)
  await using store = await opened(database.url)
  await assertWhole(store)
  assert.deepEqual(landedIn(b), TASKS)
})

test('coordinators that die one after the other are replaced one after the other', async () => {
  await using database = await testDatabase()
  await using machines = await machinesOf(database.url)
  const [a, b] = [machines.add('one'), machines.add('two')]
  let leader = machines.start(a, 'run', '--standby', 'plan.yaml')
  await leader.says('● b started')
  for (const [turn, task] of ['a', 'c', 'b'].entries()) {
    const next = machines.start(turn % 2 === 0 ? b : a, 'resume', '--standby')
    await next.says('standing by')
    machines.allow(task)
    await leader.says(`✓ ${task} landed`)
    await leader.kill()
    await next.says('run shop-1 continues')
    leader = next
  }
  machines.allow('all')
  assert.equal(await leader.ended(), 0, leader.heard)
  await using store = await opened(database.url)
  await assertWhole(store)
})

test('Postgres is restarted in the middle of a run: the same coordinator goes on, although another stands by', async () => {
  await using server = await startPostgres()
  await using database = await server.newDatabase()
  await using machines = await machinesOf(database.url)
  const [a, b] = [machines.add('one'), machines.add('two')]
  const first = machines.start(a, 'run', '--standby', 'plan.yaml')
  await first.says('● b started')
  const second = machines.start(b, 'run', '--standby', 'plan.yaml')
  await second.says('standing by')
  await server.stop()
  // Its agents end while nothing can be written.
  for (const task of ['a', 'b', 'c']) machines.allow(task)
  await server.start()
  await first.says('● d started')
  await server.stop()
  await server.start()
  machines.allow('all')
  assert.equal(await first.ended(), 0, first.heard)
  assert.equal(await second.ended(), 0, second.heard)
  assert.match(second.heard, /run shop-1 has finished \(completed\): nothing to take over/)
  await using store = await opened(database.url)
  await assertWhole(store)
})

/** Where agents look whether they may end is told to them by their environment. */
async function machinesOf(url: string): Promise<Machines> {
  const machines = await Machines.open(url, '')
  await machines.repository.write('plan.yaml', PLAN.replaceAll('$FLAGS', machines.repository.path))
  machines.repository.commit('a plan')
  return machines
}

/** The journal has no gap, every task has landed once, and there was one attempt of each that came to an end. */
async function assertWhole(store: Store): Promise<void> {
  const events = await store.events('shop-1')
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  )
  const landed = events.flatMap((event) => (event.type === 'landing.landed' ? event.tasks : []))
  assert.deepEqual(landed.toSorted(), TASKS)
  const finished = events.flatMap((event) =>
    event.type === 'attempt.finished' ? [`${event.task}/${event.attempt}`] : [],
  )
  assert.equal(new Set(finished).size, finished.length)
  assert.equal((await store.view('shop-1'))?.status, 'completed')
}

function landedIn(top: string): string[] {
  return runGit(top, ['ls-tree', '--name-only', 'espalier/shop-1'])
    .split('\n')
    .filter((name) => name.endsWith('.txt'))
    .map((name) => name.replace('.txt', ''))
}

async function opened(url: string): Promise<Store> {
  const store = await openStore(url, 'read')
  assert.ok(store.ok, JSON.stringify(store))
  return store.value
}

async function cutLead(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const text = `select pg_terminate_backend(pid) as yes from pg_locks where locktype = 'advisory'`
  await until('the lead is cut', async () => (await client.query(text)).rows.length > 0)
  await client.end()
}
