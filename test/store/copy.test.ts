import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acquireLock } from '../../src/process/lock.ts'
import { copyStore } from '../../src/store/copy.ts'
import { temporaryFolder } from '../rig/repository.ts'
import { copyThereAndBack } from './copy-contract.ts'

test('a store is copied as a whole, and goes on where the other was', async () => {
  await using folder = await temporaryFolder()
  await copyThereAndBack(folder.at('one.db'), folder.at('two.db'), folder.at('three.db'))
})

test('a store that is not there, is the same or is in use is not copied', async () => {
  await using folder = await temporaryFolder()
  const [one, two] = [folder.at('state.db'), folder.at('two.db')]
  assert.match(JSON.stringify(await copyStore(one, two)), /there is no store at/)
  await copyThereAndBack(one, folder.at('x.db'), folder.at('y.db'))
  assert.match(JSON.stringify(await copyStore(one, one)), /to itself/)
  const locked = await acquireLock(folder.at('engine.lock'), 'engine')
  assert.ok(locked.ok)
  await using _ = locked.lock
  assert.match(JSON.stringify(await copyStore(one, two)), /works with .*state\.db: copy it when/)
})
