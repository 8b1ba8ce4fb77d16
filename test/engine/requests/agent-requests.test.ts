// The task manager in whole runs: the real `espalier mcp`, as the program of an agent starts it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type AnswerTo, answerHere } from '../../../src/engine/requests/agent-tool-calls.ts'
import { identityOf } from '../../../src/workspace/attempt-variables.ts'
import { McpClient } from '../../rig/mcp-client.ts'
import { Rig } from '../../rig/rig.ts'
import type { Puppet } from '../../rig/stage.ts'
import { until } from '../../rig/until.ts'

const TOOLS = ['add_lesson', 'get_task', 'list_running', 'log_issue', 'note_follow_up', 'request_claim', 'update_task']

function mayWriteFile(rig: Rig, { task }: Puppet): string {
  return `${rig.state}/runs/plan-1/${task}/1/may-write.json`
}

function mayWrite(rig: Rig, puppet: Puppet): { enforce: boolean; write: string[] } {
  return JSON.parse(readFileSync(mayWriteFile(rig, puppet), 'utf8'))
}

test('an agent learns of its task and of the others, tells how it stands, and asks for more than it has claimed', async () => {
  await using rig = await Rig.open()
  const tasks = [
    { id: 'a', prompt: 'Do a.', claims: { write: ['a.txt'], read: [] }, verify: ['test -e a.txt'], budgetUsd: 2 },
    { id: 'b', prompt: 'Do b.', claims: { write: ['b/**'], read: [] } },
    { id: 'c', prompt: 'Do c.', needs: ['a'] },
  ]
  const run = await rig.start(tasks, { command: rig.stage.command(), claims: 'enforce' })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await using mcp = await McpClient.of(a)
  assert.deepEqual(await mcp.tools(), TOOLS)

  const others = await mcp.read<AnswerTo<{ type: 'running' }>>('list_running')
  assert.deepEqual(
    others.map(({ task, agent, claims, isYou }) => [task, agent, claims.write, isYou]),
    [
      ['a', 'command', ['a.txt'], true],
      ['b', 'command', ['b/**'], false],
    ],
  )
  assert.deepEqual(mayWrite(rig, a), { enforce: true, write: ['a.txt'] })
  assert.match((await mcp.call('request_claim', { paths: ['./extra.txt'] })).text, /^Granted/)
  assert.deepEqual(mayWrite(rig, a), { enforce: true, write: ['a.txt', 'extra.txt'] }, 'its hooks know by then')
  assert.match((await mcp.call('request_claim', { paths: ['b/x'] })).text, /^Refused: b has claimed some of b.x/)
  for (const path of ['../x', '/etc/passwd', '', 'a\u0000b'])
    assert.equal((await mcp.call('request_claim', { paths: [path] })).isError, true, path)

  await mcp.call('update_task', { status: 'progress', text: 'half \u001b[31mway' })
  await mcp.call('log_issue', { title: 'The key is in the code', details: 'src/key.ts' })
  await run.saw('attempt.noted', ({ kind }) => kind === 'issue')
  const facts = await mcp.read<AnswerTo<{ type: 'task' }>>('get_task')
  assert.deepEqual([facts.task, facts.prompt, facts.verify, facts.attempt], ['a', 'Do a.', ['test -e a.txt'], 1])
  assert.deepEqual([facts.claims.write, facts.claimsEnforced], [['a.txt', 'extra.txt'], true])
  assert.deepEqual(
    facts.notes.map(({ kind, text }) => [kind, text]),
    [
      ['progress', 'half way'],
      ['issue', 'The key is in the code'],
    ],
  )
  assert.ok(facts.secondsLeft > 0 && facts.secondsLeft <= 60)
  assert.equal(facts.budgetLeftUsd, 2)

  // Nobody has taken these in when it ends.
  await mcp.call('note_follow_up', { title: 'Rotate the key' })
  await mcp.call('update_task', { status: 'done', text: 'wrote two files' })
  await a.write('a.txt', 'a')
  await a.write('extra.txt', 'a')
  await a.exit()
  await run.saw('attempt.finished', ({ task }) => task === 'a')
  // The one it had was ended with it.
  await using again = await McpClient.of(a)
  const late = await again.call('update_task', { status: 'progress', text: 'still here' })
  assert.equal(late.isError, true)
  assert.match(late.text, /attempt 1 of a has ended/)

  const c = await rig.stage.next('c')
  await using next = await McpClient.of(c)
  assert.deepEqual((await next.read<AnswerTo<{ type: 'task' }>>('get_task')).needs, [
    { task: 'a', title: 'do a', status: 'landed', summary: 'wrote two files' },
  ])
  await Promise.all([b.deliver('b/b.txt'), c.deliver('c.txt')])
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  assert.equal(rig.landedFile(outcome, 'extra.txt'), 'a')
  const { notes, summary, undeclared } = run.task('a').history[0] ?? assert.fail()
  assert.deepEqual(
    notes?.map(({ kind }) => kind),
    ['progress', 'issue', 'follow-up', 'done'],
  )
  assert.deepEqual([summary, undeclared], ['wrote two files', undefined])
})

test('one that says it is blocked has failed, with its words, and is not tried again', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', prompt: 'Do a.', retries: 3 }], { command: rig.stage.command() })
  const a = await rig.stage.next('a')
  await using mcp = await McpClient.of(a)
  await mcp.call('update_task', { status: 'blocked', text: 'there is no key for the service' })
  await a.write('half.txt', 'half')
  await a.exit()
  await run.finish()
  const { status, attempts, failure, history } = run.task('a')
  assert.deepEqual([status, attempts, failure?.reason], ['failed', 1, 'agent-blocked'])
  assert.match(failure?.message ?? '', /there is no key for the service/)
  assert.ok(history[0]?.commit, 'what it did is kept')
})

test('it speaks for its own attempt only, and says so to everybody else', async () => {
  await using rig = await Rig.open()
  const settings = { command: rig.stage.command() }
  const run = await rig.start(
    ['a', 'b'].map((id) => ({ id, prompt: 'Do it.' })),
    settings,
  )
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  const [mine, theirs] = [a, b].map((puppet) => identityOf(puppet.hello.env) ?? assert.fail())
  assert.ok(mine && theirs)
  for (const [other, words] of [
    [{ token: theirs.token }, /^this token is not that of attempt 1 of a in run plan-1/],
    [{ token: '' }, /^this token is not that of attempt 1 of a/],
    [{ task: 'b' }, /^this token is not that of attempt 1 of b/],
    [{ task: 'none' }, /^this token is not that of attempt 1 of none/],
    [{ attempt: 2 }, /^this token is not that of attempt 2 of a/],
    [{ run: 'plan-2' }, /^this token is not that of attempt 1 of a in run plan-2/],
    [{ stateRoot: '/nowhere' }, /^there are no runs in \/nowhere/],
  ] as const) {
    const told = await answerHere(
      { ...mine, ...other },
      { type: 'note', kind: 'issue', text: 'in the name of another' },
    )
    assert.match(told.ok ? '' : (told.problems[0]?.message ?? ''), words)
  }
  await using mcp = await McpClient.of(a, { ESPALIER_TOKEN: '' })
  const { text, isError } = await mcp.call('log_issue', { title: 'of nobody' })
  assert.ok(isError && text.startsWith('this server was not started by an agent of a run'), text)
  await Promise.all([a.exit(), b.exit()])
  await run.finish()
  assert.deepEqual(run.all('attempt.noted'), [])
})

test('while no engine lives nothing is lost: what was told and asked is taken in by the next one', async () => {
  await using rig = await Rig.open()
  const claims = { write: ['a.txt'], read: [] }
  const settings = { command: rig.stage.command(), claims: 'enforce' as const }
  const first = await rig.start([{ id: 'a', prompt: 'Do a.', claims }], settings)
  const a = await rig.stage.next('a')
  await using mcp = await McpClient.of(a)
  first.run.abandon()
  await first.finish()
  await mcp.call('update_task', { status: 'done', text: 'said to nobody' })
  const { text } = await mcp.call('request_claim', { paths: ['extra.txt'] })
  assert.match(text, /^Not answered yet\. No engine works on this run/)
  const run = await rig.resume()
  await until('an answer', async () => (await mcp.read<AnswerTo<{ type: 'task' }>>('get_task')).asked[0] ?? null)
  await until('its file', () => mayWrite(rig, a).write.includes('extra.txt'))
  await a.deliver('extra.txt', 'x')
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  assert.equal(run.task('a').history[0]?.summary, 'said to nobody')
})

test('an engine that died between granting and saying so: the next one says it', async () => {
  await using rig = await Rig.open()
  const claims = { write: ['a.txt'], read: [] }
  const settings = { command: rig.stage.command(), claims: 'enforce' as const }
  const first = await rig.start([{ id: 'a', prompt: 'Do a.', claims }], settings)
  const a = await rig.stage.next('a')
  const before = JSON.stringify(mayWrite(rig, a))
  const answer = await answerHere(identityOf(a.hello.env) ?? assert.fail(), { type: 'claim', paths: ['extra.txt'] })
  assert.deepEqual(answer, { ok: true, value: { answer: 'granted', paths: ['extra.txt'] } })
  first.run.abandon()
  await first.finish()
  writeFileSync(mayWriteFile(rig, a), before)
  const run = await rig.resume()
  await until('its file', () => mayWrite(rig, a).write.includes('extra.txt'))
  await a.deliver('extra.txt')
  assert.equal((await run.finish()).outcome.status, 'completed')
})

test('with `mcp: false` nobody gets one', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', prompt: 'Do a.' }], { command: rig.stage.command(), mcp: false })
  const a = await rig.stage.next('a')
  assert.deepEqual([a.hello.env.ESPALIER_MCP_CONFIG, a.hello.env.ESPALIER_STATE], [undefined, undefined])
  await a.exit()
  await run.finish()
})
