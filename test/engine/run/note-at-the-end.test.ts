// What an agent tells right before its end. In a file of its own: the engines of this process wait so long
// after others have written that none of their looks comes in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../../../src/config.ts'
import { answerHere } from '../../../src/engine/requests/agent-tool-calls.ts'
import { identityOf } from '../../../src/workspace/attempt-variables.ts'
import { Rig } from '../../rig/rig.ts'

Object.assign(LIMITS, { storeWakeMs: 3_600_000, storePollMs: 3_600_000 })

test('what was told in the last moment counts, and is kept', async () => {
  await using rig = await Rig.open()
  const tasks = ['a', 'b'].map((id) => ({ id, prompt: 'Do it.', retries: 1 }))
  const run = await rig.start(tasks, { command: rig.stage.command() })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  for (const [puppet, kind, text] of [
    [a, 'issue', 'a leak'],
    [a, 'done', 'wrote it'],
    [b, 'blocked', 'no key'],
  ] as const) {
    const told = await answerHere(identityOf(puppet.hello.env) ?? assert.fail(), { type: 'note', kind, text })
    assert.ok(told.ok, JSON.stringify(told))
  }
  await Promise.all([a.exit(), b.exit()])
  await run.finish()
  const [of, blocked] = [run.task('a').history[0], run.task('b')]
  assert.deepEqual([of?.notes?.map(({ kind }) => kind), of?.summary], [['issue', 'done'], 'wrote it'])
  assert.deepEqual([blocked.status, blocked.failure?.reason, blocked.attempts], ['failed', 'agent-blocked', 1])
  assert.equal(blocked.history[0]?.notes?.[0]?.text, 'no key')
})
