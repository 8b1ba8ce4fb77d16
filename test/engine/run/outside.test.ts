import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outsideFailure } from '../../../src/attempt/inspect-work.ts'
import { Rig } from '../../rig/rig.ts'

test('a task that names paths outside of the repository fails once, without being started; the others go on', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([
    { id: 'outside', run: 'echo started > started.txt', outside: ['/etc/hosts', '../other'], retries: 0 },
    { id: 'waits', run: 'true', needs: ['outside'] },
    { id: 'other', run: 'echo done > other.txt' },
  ])
  assert.deepEqual(run.statuses(), { outside: 'failed', waits: 'blocked', other: 'landed' })
  const { failure, history } = run.task('outside')
  assert.equal(failure?.reason, 'outside-repository')
  assert.deepEqual(failure?.paths, ['/etc/hosts', '../other'])
  assert.equal(history.length, 1)
})

test('the message names the first path and how many more', () => {
  assert.match(
    outsideFailure(['/etc/hosts']).message,
    /^its plan names \/etc\/hosts, which is outside of the repository: /,
  )
  assert.match(outsideFailure(['/a', '/b', '/c']).message, /^its plan names \/a and 2 more, which/)
})
