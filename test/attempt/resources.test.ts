// The numbers of what a task uses come to its processes as environment variables, and to nobody else at the same time.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { test } from 'node:test'
import { resourceVariables } from '../../src/attempt/attempt-context.ts'
import { openRun } from '../../src/index.ts'
import { makePlan, makeSettings } from '../rig/plan.ts'
import { makeRepository } from '../rig/repository.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

test('a template gets the number with as many digits as the last one has, and several are joined', () => {
  assert.deepEqual(
    resourceVariables([
      { name: 'port', count: 100, numbers: [7], env: { PORT: '30{index}', URL: 'http://localhost:30{index}' } },
      { name: 'big-gpu', count: 2, numbers: [0, 1], env: { CUDA_VISIBLE_DEVICES: '{index}' } },
    ]),
    {
      ESPALIER_PORT: '7',
      PORT: '3007',
      URL: 'http://localhost:3007',
      ESPALIER_BIG_GPU: '0,1',
      CUDA_VISIBLE_DEVICES: '0,1',
    },
  )
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
