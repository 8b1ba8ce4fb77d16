// Any number of servers, on any machine: they keep nothing, so a worker may speak to one now and to another then.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { espalier, startEspalier } from '../rig/espalier.ts'
import { testDatabase } from '../rig/postgres.ts'
import { Program } from '../rig/program.ts'
import { runGit, temporaryFolder } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { BadLine } from './bad-line.ts'
import { Machines } from './machines.ts'
import { serveAt } from './worker-rig.ts'

const PLAN = `name: shop
tasks:
  - {id: quick, run: 'echo "said by quick"; echo 1 > quick.txt'}
  - {id: long, needs: [quick], run: 'echo $$ >> "$HOME/pids"; until [ -e "$HOME/gate" ]; do sleep 0.05; done; cat quick.txt > long.txt'}
  - {id: last, needs: [long], run: 'echo "said by last"; cat long.txt > last.txt'}
`

test('two servers on machines of their own, asked in turn; the coordinator on one is killed, the other finishes with the agent that runs', async () => {
  await using database = await testDatabase()
  await using machines = await Machines.open(database.url, PLAN)
  await using home = await temporaryFolder()
  // A project is named after its folder, which is the same on all machines.
  const [one, two] = [machines.add('a/shop'), machines.add('b/shop')]
  const first = machines.start(one, 'run', '--standby', '--workers-only', 'plan.yaml')
  await first.says('run shop-1')
  const second = machines.start(two, 'run', '--standby', '--workers-only', 'plan.yaml')
  await second.says('standing by')
  await using here = await serveAt(one, database.url, home.path, machines.shared)
  await using there = await serveAt(two, database.url, home.path, machines.shared)
  await using balancer = await BadLine.before([here.url, there.url])
  const { secret } = await here.context.tokens.add({ name: 'w', scope: 'worker' })
  const place = ['--server', balancer.url, '--token', secret, '--name', 'w', '--state-dir', home.at('w')]
  const worker = new Program(startEspalier(home.path, ['worker', ...place]), secret)
  try {
    await first.says('✓ quick landed')
    await until('long is at work', () => existsSync(home.at('pids')))
    const seen = await espalier(one, ['logs', 'quick', '--store', database.url])
    assert.match(seen.out, /said by quick/, 'what it printed is where the coordinator is')
    await first.kill()
    await second.says('run shop-1 continues')
    writeFileSync(home.at('gate'), '')
    assert.equal(await second.ended(), 0, `${second.heard}\n${worker.heard}`)
  } finally {
    await worker.kill()
  }
  await using store = await opened(database.url)
  const events = await store.events('shop-1', 0)
  const starts = events.flatMap((event) => (event.type === 'attempt.started' ? [`${event.task} ${event.worker}`] : []))
  assert.deepEqual(starts, ['quick w', 'long w', 'last w'], 'the agent that worked went on')
  assert.equal(readFileSync(home.at('pids'), 'utf8').trim().split('\n').length, 1)
  assert.deepEqual(runGit(two, ['show', 'espalier/shop-1:last.txt']), '1')
  const log = await espalier(two, ['logs', 'last', '--store', database.url])
  assert.match(log.out, /said by last/)
  assert.deepEqual(
    balancer.asked.map((count) => count > 3),
    [true, true],
    'both were asked',
  )
})

async function opened(url: string) {
  const store = await openStore(url)
  if (!store.ok) throw new Error(JSON.stringify(store.problems))
  return store.value
}
