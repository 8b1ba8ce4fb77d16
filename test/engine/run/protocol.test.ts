// What an agent may say while it works.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_USAGE } from '../../../src/usage.ts'
import { Rig } from '../../rig/rig.ts'

test('progress, usage and outcome lines are understood, whatever stands between them', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }])
  const puppet = await rig.stage.next('a')
  const say = (line: unknown) => puppet.print(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  await say({ type: 'progress', message: 'half way' })
  await run.saw('attempt.progress', (event) => event.message === 'half way')
  await say({ type: 'usage', inputTokens: 10, outputTokens: 1, costUsd: 0.5 })
  await say('{"type":"usage","inputTokens":')
  await say('{"type":"usage","inputTokens":"many"}')
  await say('{"type":"outcome","status":"perhaps"}')
  await say({ type: 'usage', inputTokens: 30, costUsd: 0.75 })
  await say({ type: 'outcome', status: 'success', summary: 'wrote a file' })
  await puppet.deliver('a.txt')
  const { outcome } = await run.finish()
  assert.equal(outcome.costUsd, 0.75)
  const [attempt] = run.task('a').history
  assert.deepEqual(attempt?.usage, { ...NO_USAGE, inputTokens: 30, outputTokens: 1, costUsd: 0.75 })
  assert.equal(attempt?.summary, 'wrote a file')
  assert.match(rig.git('log', '-1', '--format=%B', `${outcome.branch}^2`), /^do a\n\nwrote a file\n/)
})

test('saying that it failed is a failure, also with status 0', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'a', run: `echo x > x.txt; echo '{"type":"outcome","status":"failed","summary":"the tests are red"}'` },
  ])
  const { failure } = run.task('a')
  assert.equal(failure?.reason, 'command-failed')
  assert.match(failure?.message ?? '', /the tests are red/)
})

test('a line of 5 MB does no harm', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'a', run: `head -c 5000000 /dev/zero | tr '\\0' x; echo; echo '{"type":"progress","message":"after it"}'` },
  ])
  assert.equal(run.task('a').status, 'passed')
  assert.ok(run.all('attempt.progress').some((event) => event.message === 'after it'))
  assert.ok(run.all('attempt.progress').every((event) => event.message.length < 3_000))
})
