// Any number of servers, on any machine: they keep nothing, so a worker may speak to one now and to another then.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { espalier, startEspalier } from '../rig/espalier.ts'
import { McpClient } from '../rig/mcp-client.ts'
import { testDatabase } from '../rig/postgres.ts'
import { Program } from '../rig/program.ts'
import { runGit, temporaryFolder } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { BadLine } from './bad-line.ts'
import { Machines } from './machines.ts'
import { serveAt } from './worker-rig.ts'

const AGENT = `cat > /dev/null; echo "said before"; cp "$ESPALIER_MCP_CONFIG" "$HOME/mcp.json"; echo $$ >> "$HOME/pids"
until [ -e "$HOME/gate" ]; do sleep 0.05; done; cat quick.txt > long.txt; echo "said after"`

const PLAN = `name: shop
command: ${JSON.stringify(AGENT)}
landing: {verify: ['test -e quick.txt']}
tasks:
  - {id: quick, run: 'echo "said by quick"; echo 1 > quick.txt'}
  - {id: long, needs: [quick], prompt: Take your time., agent: command}
  - {id: last, needs: [long], run: 'echo "said by last"; cat long.txt > last.txt'}
`

test('two servers on machines of their own, asked in turn; the coordinator is killed, another one finishes with the agent that runs', async () => {
  await using database = await testDatabase()
  await using machines = await Machines.open(database.url, PLAN)
  await using home = await temporaryFolder()
  // A project is named after its folder, which is the same on all machines. On the third nothing but a server runs.
  const [one, two, three] = [machines.add('a/shop'), machines.add('b/shop'), machines.add('c/shop')]
  const first = machines.start(one, 'run', '--standby', '--workers-only', 'plan.yaml')
  await first.says('run shop-1')
  const second = machines.start(two, 'run', '--standby', '--workers-only', 'plan.yaml')
  await second.says('standing by')
  await using here = await serveAt(two, database.url, home.path, machines.shared)
  await using there = await serveAt(three, database.url, home.path, machines.shared)
  await using line = await BadLine.before([here.url, there.url])
  const { secret } = await here.context.tokens.add({ name: 'w', scope: 'worker' })
  const place = ['--server', line.url, '--token', secret, '--name', 'w', '--state-dir', home.at('w')]
  const worker = new Program(startEspalier(home.path, ['worker', ...place]), secret)
  try {
    await first.says('✓ quick landed')
    await until('long is at work', () => existsSync(home.at('pids')))
    const seen = await espalier(one, ['logs', 'quick', '--store', database.url])
    assert.match(seen.out, /said by quick/, 'what it printed is where the coordinator is')
    await using mcp = await McpClient.at(home.at('mcp.json'))
    // Whichever server has it.
    for (const _ of [1, 2, 3]) assert.match((await mcp.call('get_task')).text, /Take your time/)
    await first.kill()
    await second.says('run shop-1 continues')
    assert.match((await mcp.call('update_task', { status: 'done', text: 'took it' })).text, /^Noted/)
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
  for (const [task, said] of [
    ['quick', /^said by quick$/m],
    ['long', /said before\nsaid after/],
    ['last', /said by last/],
  ] as const) {
    const log = await espalier(two, ['logs', task, '--store', database.url])
    assert.match(log.out, said, `all of ${task}, also what was printed before`)
  }
  const isAsked = line.asked.map((count) => count > 3)
  assert.deepEqual(isAsked, [true, true], 'both were asked')
  const cleaned = await espalier(two, ['clean', '--all', '--force'], {
    env: { ESPALIER_ENGINE_REPOSITORY: machines.shared },
  })
  const left = runGit(machines.shared, ['for-each-ref', 'refs/espalier'])
  assert.equal(left, '', `${cleaned.out}${cleaned.err}`)
})

test('a server that cannot have the commits of a run: its worker says what is missing, and waits', async () => {
  await using database = await testDatabase()
  await using machines = await Machines.open(database.url, `name: shop\ntasks:\n  - {id: a, run: 'echo 1 > a.txt'}\n`)
  await using home = await temporaryFolder()
  const [one, two] = [machines.add('a/shop'), machines.add('b/shop')]
  runGit(one, ['commit', '-q', '--allow-empty', '-m', 'only here'])
  const run = machines.start(one, 'run', '--workers-only', 'plan.yaml')
  await run.says('run shop-1')
  await using server = await serveAt(two, database.url, home.path)
  const { secret } = await server.context.tokens.add({ name: 'w', scope: 'worker' })
  const place = ['--server', server.url, '--token', secret, '--name', 'w', '--state-dir', home.at('w')]
  await using worker = new Program(startEspalier(home.path, ['worker', ...place]), secret)
  await worker.says(/a \(attempt 1\) waits: .*ESPALIER_ENGINE_REPOSITORY/)
  await using right = await serveAt(two, database.url, home.path, machines.shared)
  await worker.kill()
  const there = place.map((arg) => (arg === server.url ? right.url : arg))
  await using again = new Program(startEspalier(home.path, ['worker', ...there]), secret)
  assert.equal(await run.ended(), 0, `${run.heard}\n${again.heard}`)
})

async function opened(url: string) {
  const store = await openStore(url)
  if (!store.ok) throw new Error(JSON.stringify(store.problems))
  return store.value
}
