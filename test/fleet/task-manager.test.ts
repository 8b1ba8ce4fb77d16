// Agents on workers have the task manager, too, though they reach neither the store nor the server.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { AnswerTo } from '../../src/engine/requests/agent-tool-calls.ts'
import { McpClient } from '../rig/mcp-client.ts'
import { testDatabase } from '../rig/postgres.ts'
import type { Program } from '../rig/program.ts'
import { until } from '../rig/until.ts'
import { FleetRig } from './worker-rig.ts'

const AGENT = `cat > /dev/null; echo "$ESPALIER_MCP_CONFIG" > "$HOME/config"; cp "$ESPALIER_MCP_CONFIG" "$HOME/mcp.json"
while [ ! -e "$HOME/gate" ]; do sleep 0.05; done; echo 1 > a.txt; echo 1 > extra.txt`

const PLAN = `name: demo
claims: enforce
command: ${JSON.stringify(AGENT)}
tasks:
  - {id: a, prompt: Do a., agent: command, claims: {write: [a.txt]}}
`

test('an agent on a worker says that it is blocked: its task fails with these words and is not tried again', async () => {
  await using database = await testDatabase()
  await using rig = await FleetRig.open(database.url, PLAN)
  const { run } = await atWork(rig)
  await using mcp = await McpClient.at(rig.home.at('mcp.json'))
  assert.match((await mcp.call('update_task', { status: 'blocked', text: 'the key is missing' })).text, /^Noted/)
  writeFileSync(rig.home.at('gate'), '')
  assert.equal(await run.ends(), 1, run.heard)
  const ends = run.events.filter((event) => event.type === 'attempt.finished')
  assert.deepEqual(
    ends.map(({ failure }) => [failure?.reason, /the key is missing/.test(failure?.message ?? '')]),
    [['agent-blocked', true]],
  )
})

test('an agent on a worker reads its task, tells notes and gets claims; killed and started again, its worker still answers', async () => {
  await using database = await testDatabase()
  await using rig = await FleetRig.open(database.url, PLAN)
  const { worker, run } = await atWork(rig)
  await using mcp = await McpClient.at(rig.home.at('mcp.json'))

  const facts = await mcp.read<AnswerTo<{ type: 'task' }>>('get_task')
  assert.deepEqual([facts.task, facts.prompt, facts.claimsEnforced], ['a', 'Do a.', true])
  const running = await mcp.read<AnswerTo<{ type: 'running' }>>('list_running')
  assert.deepEqual(
    running.map(({ task, isYou }) => [task, isYou]),
    [['a', true]],
  )
  assert.match((await mcp.call('request_claim', { paths: ['extra.txt'] })).text, /^Granted/)
  assert.equal((await mcp.call('request_claim', { paths: ['../x'] })).isError, true)
  const issue = await mcp.call('log_issue', { title: 'The key is in the code', details: 'src/key.ts' })
  assert.match(issue.text, /^Noted/)

  await using stranger = await McpClient.at(rig.home.at('mcp.json'), { ESPALIER_TOKEN: '0'.repeat(32) })
  assert.equal((await stranger.call('get_task')).isError, true, 'the token of the attempt is asked for')

  await worker.kill()
  const asked = mcp.call('update_task', { status: 'progress', text: 'half way' })
  const back = rig.start('one', worker.token, [])
  assert.match((await asked).text, /^Noted/)
  writeFileSync(rig.home.at('gate'), '')
  assert.equal(await run.ends(), 0, run.heard)
  const notes = run.events.filter((event) => event.type === 'attempt.noted')
  assert.deepEqual(
    notes.map(({ kind, text }) => [kind, text]),
    [
      ['issue', 'The key is in the code'],
      ['progress', 'half way'],
    ],
  )
  assert.deepEqual(
    run.events.flatMap((event) => (event.type === 'landing.landed' ? event.tasks : [])),
    ['a'],
    'what it was granted it may write',
  )
  back.signal('SIGTERM')
  assert.equal(await back.ends(), 0, back.heard)
  assert.ok(!existsSync(join(rig.home.at('one'), 'runs', 'demo-1', 'a', '1', 'asks')))
  assert.ok(!readdirSync(join(rig.home.at('one'))).includes('state.db'), 'a worker has no store')
})

/** A worker, and a run whose agent has begun there. */
async function atWork(rig: FleetRig): Promise<{ worker: Program; run: Program }> {
  const worker = await rig.worker('one')
  await worker.says(/joined repo/)
  const run = rig.run('--workers-only', '--json')
  await until('the agent is at work', () => existsSync(rig.home.at('mcp.json')))
  return { worker, run }
}
