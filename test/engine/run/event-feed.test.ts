// What agents are doing right now, as other processes see it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { ProgressLog } from '../../../src/engine/run/event-feed.ts'
import type { Progress } from '../../../src/event.ts'
import { openStore } from '../../../src/store/open.ts'
import { Rig } from '../../rig/rig.ts'

test('it is in the feed of the store while the agent works, without secrets', async () => {
  await using rig = await Rig.open()
  const environment = { ...process.env, SHOP_API_KEY: 'key-0123456789abcdef' }
  const run = await rig.start([{ id: 'a' }], {}, environment)
  const puppet = await rig.stage.next('a')
  await puppet.print(`${JSON.stringify({ type: 'progress', message: 'uses key-0123456789abcdef' })}\n`)
  const opened = await openStore(join(rig.state, 'state.db'), 'read')
  assert.ok(opened.ok)
  await using store = opened.value
  for await (const { run: id, event } of store.watch(0)) {
    if (event.type !== 'attempt.progress') continue
    assert.deepEqual([id, event.task, event.attempt], [run.id, 'a', 1])
    assert.match(event.message, /^uses /)
    assert.doesNotMatch(event.message, /key-0123456789abcdef/)
    break
  }
  await puppet.deliver('a.txt')
  await run.finish()
})

test('what is said in a short time is written at once, and what cannot be written ends nothing', async () => {
  const written: string[][] = []
  const store = {
    addProgress: async (_: string, progress: readonly Progress[]) => {
      written.push(progress.map(({ message }) => message))
      if (written.length === 1) throw new Error('the disk is full')
    },
  }
  const log = new ProgressLog(store, 'r')
  const say = (message: string) => log.push({ type: 'attempt.progress', task: 'a', attempt: 1, at: 1, message })
  for (const message of ['reads', 'writes']) say(message)
  await log[Symbol.asyncDispose]()
  say('too late')
  assert.deepEqual(written, [['reads', 'writes']])
  const abandoned = new ProgressLog(store, 'r')
  abandoned.push({ type: 'attempt.progress', task: 'a', attempt: 1, at: 1, message: 'of another engine’s run' })
  abandoned.abandon()
  await abandoned[Symbol.asyncDispose]()
  assert.equal(written.length, 1)
})
