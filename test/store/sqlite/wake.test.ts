import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { wakes } from '../../../src/store/sqlite/wake.ts'
import { temporaryFolder } from '../../rig/repository.ts'

test('what the file system does not tell of is found all the same, a little later', async () => {
  let asked = 0
  const looks: number[] = []
  // Another one when it is asked for the third time: not before it has waited.
  for await (const _ of wakes('/nowhere/at/all/state.db', () => (++asked < 3 ? 1 : 2), {}))
    if (looks.push(asked) === 2) break
  assert.deepEqual(looks, [1, 3])
})

test('a write that is told of before it is committed is looked for until it is', async () => {
  await using folder = await temporaryFolder()
  const path = folder.at('state.db')
  let [stamp, asked] = [1, 0]
  const commitLate = () => {
    // As a disk that takes its time: nothing tells of the commit itself.
    if (++asked === 6) stamp = 2
    return stamp
  }
  const seen = wakes(path, commitLate, {})
  await seen.next()
  const next = seen.next()
  await writeFile(`${path}-wal`, 'frames')
  assert.deepEqual([await next, asked], [{ done: false, value: true }, 6])
  await seen.return()
})
