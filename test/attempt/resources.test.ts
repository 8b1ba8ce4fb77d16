// The numbers of what a task uses come to its processes as environment variables, and to nobody else at the same time.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { test } from 'node:test'
import { type AttemptContext, attemptEnvironment } from '../../src/attempt/attempt-context.ts'
import type { AttemptOrder } from '../../src/attempt/attempt-order.ts'
import { openRun } from '../../src/index.ts'
import type { IterationFolder } from '../../src/workspace/state-folder.ts'
import { makePlan, makeSettings } from '../rig/plan.ts'
import { makeRepository } from '../rig/repository.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

test('a template gets the number with as many digits as the last one has, and several are joined', () => {
  const resources: AttemptOrder['resources'] = [
    { name: 'web', count: 100, numbers: [7], env: { PORT: '30{index}', URL: 'http://localhost:30{index}' } },
    { name: 'big-gpu', count: 2, numbers: [0, 1], env: { CUDA_VISIBLE_DEVICES: '{index}' } },
  ]
  const order = { run: 'run', task: { id: 'a', work: { kind: 'command' } }, attempt: 1, token: 't', resources }
  const settings = { envAllow: [], ports: { first: 1, perSlot: 1 } }
  const place = { machine: { environment: {} }, slot: { number: 1, path: '/w' }, folder: { files: '/f' } }
  const context = { order: { ...order, settings }, ...place } as unknown as AttemptContext
  assert.partialDeepStrictEqual(attemptEnvironment(context, { number: 1, promptFile: '/p' } as IterationFolder), {
    ESPALIER_WEB: '7',
    PORT: '3007',
    URL: 'http://localhost:3007',
    ESPALIER_BIG_GPU: '0,1',
    CUDA_VISIBLE_DEVICES: '0,1',
  })
})

test('two tasks at a time never have the same number', async () => {
  await using repository = await makeRepository()
  // A folder that somebody else has made is a number that somebody else has.
  const run = `mkdir "$MARKS/$ESPALIER_GPU" && test "$DEVICE" = "dev0$ESPALIER_GPU" && rmdir "$MARKS/$ESPALIER_GPU"`
  const marks = repository.at('marks')
  await mkdir(marks)
  const tasks = Array.from({ length: 12 }, (_, n) => ({ id: `t${n}`, run, uses: { gpu: 1 }, env: { MARKS: marks } }))
  const plan = { ...makePlan(tasks), resources: { gpu: { count: 11, env: { DEVICE: 'dev{index}' } } } }
  const opened = await openRun(await workspaceAt(repository.top), { plan, settings: makeSettings() })
  assert.ok(opened.ok)
  await using started = opened.value
  const result = await started.execute()
  assert.deepEqual(result.failures, [])
  assert.equal(result.counts.passed, 12)
})
