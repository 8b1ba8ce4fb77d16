import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptFinished, AttemptRunner, RunningAttempt } from '../../../src/attempt/attempt-order.ts'
import type { RequestedFact } from '../../../src/event.ts'
import { ok } from '../../../src/problem.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** Executes nothing itself: an attempt is over when its worker has delivered, where it `listens` to that. */
function remote(listens: boolean): AttemptRunner & { heard: AttemptFinished[] } {
  const heard: AttemptFinished[] = []
  const delivered = Promise.withResolvers<AttemptFinished>()
  const attempt: RunningAttempt = {
    result: delivered.promise,
    stop: async () => true,
    allow: async () => {},
    setBudget: () => {},
    letGo: () => delivered.reject(new Error('left to the next engine')),
  }
  delivered.promise.catch(() => {})
  return {
    heard,
    start: () => attempt,
    deliver(fact) {
      if (fact.type !== 'attempt.finished') return
      heard.push(fact)
      if (listens) delivered.resolve(fact)
    },
  }
}

test('what a worker delivered right before the engine died counts, although something later is in the journal', async () => {
  await using rig = await Rig.open()
  const workspace = await workspaceAt(rig.top)
  const ask = (fact: RequestedFact) => workspace.write(async (store) => ok(await store.request('plan-1', fact)))
  const first = remote(false)
  const run = await rig.start([{ id: 'a', run: 'true' }], {}, process.env, () => first)
  await run.saw('attempt.started')
  const nothing = { commit: null, diff: null, usage: null, summary: null, failure: null } as const
  const fact: AttemptFinished = { type: 'attempt.finished', task: 'a', attempt: 1, outcome: 'no-change', ...nothing }
  await ask(fact)
  await until('it was delivered', () => first.heard.length === 1)
  await ask({ type: 'priority.changed', task: 'a', priority: 7, request: null })
  await run.saw('priority.changed')
  run.run.abandon()
  await run.finish()
  const again = await rig.resume({}, undefined, process.env, () => remote(true))
  assert.equal((await again.finish()).outcome.status, 'completed')
  assert.equal(again.task('a').history.length, 1)
})
